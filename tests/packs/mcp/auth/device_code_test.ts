/** Codes for another device: they stand in a question to a person, and are foreign text. */

import assert from "node:assert/strict";
import { createCredentialStore, signInAndStore } from "#packs/auth";
import { startIssuer } from "../../../support/auth/issuer.ts";
import { startResource } from "../../../support/auth/resource.ts";
import { openGuarded } from "./harness.ts";

type Show = (prompt: { readonly code?: string }) => void;

/** Signs in where the issuer gives a code with these fields; resolves with the error of the sign-in and
 * the number of requests for tokens. */
async function signIn(
  fields: Readonly<Record<string, unknown>>,
  { show, signal }: { readonly show: Show; readonly signal: AbortSignal },
): Promise<{ readonly error: unknown; readonly polls: number }> {
  await using issuer = startIssuer({ devicePolls: 1_000 });
  await using resource = startResource(issuer);
  const home = await Deno.makeTempDir();
  const store = createCredentialStore({ home, log: () => {} });
  const deps = {
    store,
    now: Date.now,
    async fetch(input: string | URL | Request, init?: RequestInit): Promise<Response> {
      const response = await fetch(input, init);
      const { url } = new Request(input);
      if (!url.endsWith("/device_authorization")) return response;
      return Response.json({ ...await response.json(), ...fields });
    },
  };
  const target = {
    server: "crm",
    url: resource.url,
    account: "",
    command: "",
    isConfigured: true,
    settings: { grant: "device" as const },
  };
  const error = await signInAndStore(target, { show, signal }, deps).catch((e) => e);
  await Deno.remove(home, { recursive: true });
  return { error, polls: issuer.forms.length };
}

/** Resolves with what a person is shown of this code. */
async function shownCode(user_code: unknown): Promise<string | undefined> {
  const end = new AbortController();
  let code: string | undefined;
  const show: Show = (prompt) => {
    code = prompt.code;
    end.abort(new Error("seen"));
  };
  const { error } = await signIn({ user_code }, { show, signal: end.signal });
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
    "words": "Run toolscript trust y now",
    "few words": "type y now",
    "words of another script": "\u8bf7\u8fd0\u884c\u547d\u4ee4",
    "a long code": "ABCD-".repeat(4) + "E",
  };
  for (const [name, code] of Object.entries(rows)) {
    await t.step(name, async () => assert.equal(await shownCode(code), undefined));
  }
  for (const code of ["WDJB-MJHT", "wdjbmjht", "123 456", "12-34-56-78"]) {
    await t.step(code, async () => assert.equal(await shownCode(code), code));
  }
});

Deno.test("an issuer is asked once a second at most", async () => {
  const { signal } = new AbortController();
  const fields = { interval: 1e-9, expires_in: 0.5 };
  const { error, polls } = await signIn(fields, { show: () => {}, signal });
  assert.match(String(error), /not used in time/);
  assert.equal(polls, 1);
});

Deno.test("a code is typed on another device", async () => {
  const oauth = { grant: "device" as const };
  await using guarded = await openGuarded({
    config: { oauth },
    answer: () => Promise.resolve("accepted"),
  });
  assert.deepEqual(await guarded.pack.call("whoami", {}, {}), { value: "ana whoami" });
  assert.equal(guarded.questions[0]?.code, "WDJB-MJHT");
  assert.equal(guarded.questions[0]?.url, `${guarded.issuer.url}/device`);
  assert.equal(guarded.issuer.forms.at(-1)?.get("resource"), guarded.resource.url);
});
