/** Sign-ins at one host whose outcome goes to another: a person is told. */

import assert from "node:assert/strict";
import { createCredentialStore, signInAndStore } from "#packs/auth";
import type { OAuthSettings } from "#packs/server";
import { startIssuer } from "../../../support/auth/issuer.ts";
import { startResource } from "../../../support/auth/resource.ts";

interface Prompt {
  readonly url: string;
  readonly code?: string;
  readonly receiver?: string;
}

interface Row {
  readonly grant: OAuthSettings["grant"];
  /** Fields of the metadata, for the issuer by another name. */
  readonly fields?: (other: string) => Record<string, unknown>;
  /** Fields of the answer with a code. */
  readonly device?: (other: string) => Record<string, unknown>;
  /** Name of the host that is told. */
  readonly expected: "127.0.0.1" | "localhost" | undefined;
}

const AUTHORIZE = (at: string) => ({ authorization_endpoint: `${at}/authorize` });
const TOKEN = (at: string) => ({ token_endpoint: `${at}/token` });

/** Signs in where the issuer has this metadata, and resolves with what a person is shown. */
async function promptOf({ grant, fields, device }: Row): Promise<Prompt & { port: string }> {
  await using issuer = startIssuer();
  await using resource = startResource(issuer);
  const { port } = new URL(issuer.url);
  const other = `http://localhost:${port}`;
  issuer.quirks.fields = fields?.(other) ?? {};
  const home = await Deno.makeTempDir();
  const store = createCredentialStore({ home, log: () => {} });
  const target = {
    server: "crm",
    url: resource.url,
    account: "",
    command: "",
    isConfigured: true,
    settings: { grant },
  };
  const send = async (input: string | URL | Request, init?: RequestInit) => {
    const response = await fetch(input, init);
    const { url } = new Request(input);
    if (!device || !url.endsWith("/device_authorization")) return response;
    return Response.json({ ...await response.json(), ...device(other) });
  };
  const prompts: Prompt[] = [];
  const end = new AbortController();
  const show = (prompt: Prompt) => {
    prompts.push(prompt);
    end.abort(new Error("seen"));
  };
  const deps = { store, fetch: send, now: Date.now };
  await assert.rejects(signInAndStore(target, { show, signal: end.signal }, deps), /seen/);
  await Deno.remove(home, { recursive: true });
  const [prompt] = prompts;
  assert.ok(prompt);
  return { ...prompt, port };
}

Deno.test("a sign-in names the host that receives it where that is another", async (t) => {
  const rows: Record<string, Row> = {
    "all on one host": { grant: "authorization_code", expected: undefined },
    "the page of another provider": {
      grant: "authorization_code",
      fields: AUTHORIZE,
      expected: "127.0.0.1",
    },
    "tokens from a host of their own": {
      grant: "authorization_code",
      fields: TOKEN,
      expected: "localhost",
    },
    "both on another host than the issuer": {
      grant: "authorization_code",
      fields: (at) => ({ ...AUTHORIZE(at), ...TOKEN(at) }),
      expected: undefined,
    },
    "a code, all on one host": { grant: "device", expected: undefined },
    "a code for the page of another provider": {
      grant: "device",
      device: (at) => ({ verification_uri: `${at}/device` }),
      expected: "127.0.0.1",
    },
    "a code in the address of another provider": {
      grant: "device",
      device: (at) => ({ verification_uri_complete: `${at}/device?c=1` }),
      expected: "127.0.0.1",
    },
  };
  for (const [name, row] of Object.entries(rows)) {
    await t.step(name, async () => {
      const { receiver, port } = await promptOf(row);
      assert.equal(receiver, row.expected && `${row.expected}:${port}`);
    });
  }
});
