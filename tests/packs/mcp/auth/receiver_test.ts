/** Sign-ins at one host whose outcome goes to another: a person is told. */

import assert from "node:assert/strict";
import { createCredentialStore, receiverText, signInAndStore } from "#packs/auth";
import type { OAuthSettings } from "#packs/server";
import { revoke } from "../../../../packs/mcp/auth/flow/revoke.ts";
import { receiverOf } from "../../../../packs/mcp/auth/receiver.ts";
import { startIssuer } from "../../../support/auth/issuer.ts";
import { startResource } from "../../../support/auth/resource.ts";

interface Prompt {
  readonly url: string;
  readonly code?: string;
  readonly receiver?: string;
}

interface Ports {
  /** Of the issuer, and of the server. */
  readonly port: string;
  readonly own: string;
}

interface Row {
  readonly grant: OAuthSettings["grant"];
  /** Fields of the metadata, for the issuer by another name. */
  readonly fields?: (other: string) => Record<string, unknown>;
  /** Fields of the answer with a code. */
  readonly device?: (other: string) => Record<string, unknown>;
  /** Names of the hosts that are told: of the issuer, and of the server by an address of its own. */
  readonly expected: readonly ("127.0.0.1" | "localhost" | "server")[];
}

const AUTHORIZE = (at: string) => ({ authorization_endpoint: `${at}/authorize` });
const TOKEN = (at: string) => ({ token_endpoint: `${at}/token` });

/** Signs in where the issuer has this metadata, and resolves with what a person is shown. */
async function promptOf({ grant, fields, device }: Row): Promise<Prompt & Ports> {
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
  return { ...prompt, port, own: new URL(resource.url).port };
}

Deno.test("a sign-in names the host that receives it where that is another", async (t) => {
  const rows: Record<string, Row> = {
    "all on one host": { grant: "authorization_code", expected: [] },
    "the page of another provider": {
      grant: "authorization_code",
      fields: AUTHORIZE,
      expected: ["127.0.0.1"],
    },
    "tokens from a host of their own": {
      grant: "authorization_code",
      fields: TOKEN,
      expected: ["localhost"],
    },
    "both on another host than the issuer": {
      grant: "authorization_code",
      fields: (at) => ({ ...AUTHORIZE(at), ...TOKEN(at) }),
      expected: ["server"],
    },
    "a code, all on one host": { grant: "device", expected: [] },
    "a code for the page of another provider": {
      grant: "device",
      device: (at) => ({ verification_uri: `${at}/device` }),
      expected: ["127.0.0.1"],
    },
    "a code in the address of another provider": {
      grant: "device",
      device: (at) => ({ verification_uri_complete: `${at}/device?c=1` }),
      expected: ["127.0.0.1"],
    },
  };
  for (const [name, row] of Object.entries(rows)) {
    await t.step(name, async () => {
      const { receiver, port, own } = await promptOf(row);
      const hosts = row.expected.map((name) =>
        name === "server" ? `127.0.0.1:${own}` : `${name}:${port}`
      );
      assert.equal(receiver, hosts.length === 0 ? undefined : hosts.join(" and "));
    });
  }
});

Deno.test("a sign-in names the server that gets a token of another provider", async (t) => {
  const server = "https://tools.example/mcp";
  const rows: Record<string, readonly [address: string, token: string, text: string | undefined]> =
    {
      "both of the provider": [
        "https://provider.example/authorize?x=1",
        "https://provider.example/token",
        "Sign in at provider.example; tools.example receives the sign-in",
      ],
      "a provider of two hosts": [
        "https://accounts.provider.example/authorize",
        "https://oauth2.provider.example/token",
        "Sign in at accounts.provider.example; oauth2.provider.example and tools.example receive the sign-in",
      ],
      "tokens from the server": [
        "https://provider.example/authorize",
        "https://tools.example:8443/token",
        "Sign in at provider.example; tools.example:8443 receives the sign-in",
      ],
      "all of the server": ["https://tools.example/a", "https://tools.example/token", undefined],
    };
  for (const [name, [url, token_endpoint, text]] of Object.entries(rows)) {
    await t.step(name, () => {
      const issuer = "https://provider.example";
      const metadata = { issuer, token_endpoint, authorization_endpoint: url };
      const authorizationServerMetadata = { ...metadata, response_types_supported: ["code"] };
      const state = { authorizationServerUrl: issuer, authorizationServerMetadata };
      assert.equal(receiverText({ url, receiver: receiverOf(url, state, server) }), text);
    });
  }
});

Deno.test("tokens are revoked where they were issued, and sent to no other host", async () => {
  for (const host of ["tools.example", "provider.example"]) {
    const issuer = "https://provider.example";
    const authorizationServerMetadata = {
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      revocation_endpoint: `https://${host}/revoke`,
      response_types_supported: ["code"],
    };
    const sent: string[] = [];
    const target = {
      server: "crm",
      url: "https://tools.example/mcp",
      account: "",
      command: "",
      isConfigured: true,
      settings: { grant: "authorization_code" as const },
    };
    const revoked = await revoke(target, {
      server: "crm",
      url: target.url,
      account: "",
      tokens: { access: "a", refresh: "r", at: 0 },
      discovery: { authorizationServerUrl: issuer, authorizationServerMetadata },
      registration: { information: { client_id: "c" } },
    }, (input) => {
      sent.push(String(input));
      return Promise.resolve(new Response());
    }).catch((error) => error);
    const isIssuer = host === "provider.example";
    assert.equal(sent.length > 0 || revoked instanceof Error, isIssuer, String(revoked));
    if (!isIssuer) assert.equal(revoked, false);
  }
});
