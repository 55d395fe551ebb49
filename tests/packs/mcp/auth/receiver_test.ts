/** Sign-ins at one host whose outcome goes to another: a person is told, and answers of one issuer are
 * none of another. */

import assert from "node:assert/strict";
import { createCredentialStore, signInAndStore } from "#packs/auth";
import type { OAuthSettings } from "#packs/server";
import { startIssuer } from "../../../support/auth/issuer.ts";
import { freePort } from "../../../support/port.ts";
import { startResource } from "../../../support/auth/resource.ts";
import { openGuarded } from "./harness.ts";

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
    ...{ server: "crm", url: resource.url, account: "", command: "", isConfigured: true },
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
      ...{ grant: "authorization_code", fields: AUTHORIZE },
      expected: "127.0.0.1",
    },
    "tokens from a host of their own": {
      ...{ grant: "authorization_code", fields: TOKEN },
      expected: "localhost",
    },
    "both on another host than the issuer": {
      ...{ grant: "authorization_code", fields: (at) => ({ ...AUTHORIZE(at), ...TOKEN(at) }) },
      expected: undefined,
    },
    "a code, all on one host": { grant: "device", expected: undefined },
    "a code for the page of another provider": {
      ...{ grant: "device", device: (at) => ({ verification_uri: `${at}/device` }) },
      expected: "127.0.0.1",
    },
    "a code in the address of another provider": {
      ...{ grant: "device", device: (at) => ({ verification_uri_complete: `${at}/device?c=1` }) },
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

Deno.test("a client that is registered here has a redirect address for each issuer", async () => {
  const paths: string[] = [];
  for (const _ of [1, 2]) {
    await using guarded = await openGuarded({
      async answer({ url }, issuer) {
        const back = new URL(await issuer.consent(url));
        paths.push(back.pathname);
        for (const path of ["/callback", "/", `${paths.at(0)}x`, ...paths.slice(0, -1)]) {
          const response = await fetch(new URL(`${path}${back.search}`, back));
          assert.equal(response.status, 404);
          await response.body?.cancel();
        }
        assert.deepEqual(issuer.forms, []);
        assert.equal((await (await fetch(back)).text()).includes("Signed in"), true);
        return "accepted";
      },
    });
    assert.deepEqual(await guarded.pack.call("whoami", {}, {}), { value: "ana whoami" });
    assert.match(paths.at(-1) ?? "", /^\/callback\/[\w-]{22}$/);
  }
  assert.equal(new Set(paths).size, 2);
});

Deno.test("a client that a person has registered keeps its redirect address", async (t) => {
  const grant = "authorization_code" as const;
  const rows: Record<string, OAuthSettings> = {
    "a client": { grant, clientId: "mine" },
    "a port": { grant, redirectPort: await freePort() },
    "a document": { grant, clientMetadataUrl: "https://toolscript.example/client.json" },
  };
  for (const [name, oauth] of Object.entries(rows)) {
    await t.step(name, async () => {
      await using guarded = await openGuarded({
        config: { oauth },
        quirks: { fields: { client_id_metadata_document_supported: true } },
        async answer({ url }, issuer) {
          const back = new URL(await issuer.consent(url));
          assert.equal(back.pathname, "/callback");
          await (await fetch(back)).body?.cancel();
          return "accepted";
        },
      });
      assert.deepEqual(await guarded.pack.call("whoami", {}, {}), { value: "ana whoami" });
    });
  }
});
