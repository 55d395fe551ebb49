/** Codes for another device: they stand in a question to a person, and are foreign text. */

import assert from "node:assert/strict";
import { createCredentialStore, signInAndStore } from "#packs/auth";
import { startIssuer } from "../../../support/auth/issuer.ts";
import { startResource } from "../../../support/auth/resource.ts";

/** Signs in where the issuer gives this code; resolves with what a person is shown. */
async function shownCode(user_code: unknown): Promise<string | undefined> {
  await using issuer = startIssuer({ devicePolls: 1_000 });
  await using resource = startResource(issuer);
  const home = await Deno.makeTempDir();
  const store = createCredentialStore({ home, log: () => {} });
  const end = new AbortController();
  let code: string | undefined;
  const deps = {
    store,
    now: Date.now,
    async fetch(input: string | URL | Request, init?: RequestInit): Promise<Response> {
      const response = await fetch(input, init);
      const { url } = new Request(input);
      if (!url.endsWith("/device_authorization")) return response;
      return Response.json({ ...await response.json(), user_code });
    },
  };
  const target = {
    ...{ server: "crm", url: resource.url, account: "", command: "", isConfigured: true },
    settings: { grant: "device" as const },
  };
  const show = (prompt: { readonly code?: string }) => {
    code = prompt.code;
    end.abort(new Error("seen"));
  };
  const error = await signInAndStore(target, { show, signal: end.signal }, deps).catch((e) => e);
  await Deno.remove(home, { recursive: true });
  assert.match(String(error), code === undefined ? /code that cannot be shown/ : /seen/);
  return code;
}

Deno.test("a code that is more than a code is not shown to a person", async (t) => {
  const rows: Record<string, unknown> = {
    "lines": "ABCD\n\nThe bank asks for your password",
    "a long text": "A".repeat(100),
    "escape sequences": "AB\u001b]8;;https://evil.example\u0007CD",
    "another direction": "AB\u202eDC",
    "nothing": " ",
  };
  for (const [name, code] of Object.entries(rows)) {
    await t.step(name, async () => assert.equal(await shownCode(code), undefined));
  }
  for (const code of ["WDJB-MJHT", "123 456", "12-34-56-78"]) {
    await t.step(code, async () => assert.equal(await shownCode(code), code));
  }
});
