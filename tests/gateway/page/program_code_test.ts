/** A program that knows the page's code, as from a tool that tells command lines: the code is of no use
 * to it, and stays good for the browser. */

import assert from "node:assert/strict";
import { createSessions } from "#gateway";
import { createPageEntrance, type PageEntranceDeps } from "../../../gateway/page/entrance.ts";
import { openGateway, type TestGateway } from "../../support/gateway.ts";
import { issueCode } from "./browser_session.ts";

/** Only Linux tells whose a connection is. */
const ignore = Deno.build.os !== "linux";

interface Answer {
  readonly status: number;
  readonly cookie: string | null;
}

/** Begins a program, whose argument is the link. */
const START = `
  const [link = ""] = Deno.args;
  const visit = async (init: RequestInit = {}) => {
    const { status, headers } = await fetch(link, { redirect: "manual", ...init });
    return { status, cookie: headers.get("set-cookie") };
  };
`;
const REFUSED: Answer = { status: 401, cookie: null };

/** Value of a program that gets a link with a code, and the answer that the browser then gets. */
async function tryCode(
  gateway: TestGateway,
  program: string,
): Promise<{ value: unknown; browser: Answer }> {
  const link = `${gateway.url}/?code=${await issueCode(gateway)}`;
  const reply = await gateway.run(START + program, { args: [link] });
  assert.ok(reply.ok, reply.text);
  return { value: reply.value, browser: await open(link) };
}

async function open(link: string): Promise<Answer> {
  const response = await fetch(link, { redirect: "manual" });
  await response.body?.cancel();
  return { status: response.status, cookie: response.headers.get("set-cookie") };
}

Deno.test({
  name: "a program gets no cookie for the page's code, which stays good for the browser",
  ignore,
  async fn(t) {
    await using gateway = await openGateway();
    const programs: Record<string, { program: string; expected: unknown }> = {
      "at once": { program: "return await visit()", expected: REFUSED },
      "as a browser": {
        program: `return await visit({ headers: { accept: "text/html", "sec-fetch-dest":
          "document", "sec-fetch-site": "none" } })`,
        expected: REFUSED,
      },
      "over a connection that it has used": {
        program: `await (await fetch(new URL("/health", link))).text(); return await visit()`,
        expected: REFUSED,
      },
      "many at the same time": {
        program: `const all = await Promise.all(Array.from({ length: 100 }, () => visit()));
          return all.every(({ status, cookie }) => status === 401 && cookie === null)`,
        expected: true,
      },
      "without waiting for the answer": {
        program: `for (let ms = 0; ms < 40; ms++) {
            await visit({ signal: AbortSignal.timeout(ms / 4) }).catch(() => {});
          }
          return "left"`,
        expected: "left",
      },
    };
    for (const [name, { program, expected }] of Object.entries(programs)) {
      await t.step(name, async () => {
        const { value, browser } = await tryCode(gateway, program);
        assert.deepEqual(value, expected);
        assert.equal(browser.status, 303);
        assert.match(browser.cookie ?? "", /^toolscript_\d+=/);
      });
    }
  },
});

Deno.test({
  name: "the browser gets the cookie while programs run that have many connections",
  ignore,
  async fn() {
    await using gateway = await openGateway();
    const link = `${gateway.url}/?code=${await issueCode(gateway)}`;
    const program = `const { origin } = new URL(Deno.args[0] ?? "");
      const all = await Promise.all(Array.from({ length: 100 }, () => fetch(origin + "/health")));
      console.log("open");
      await new Promise((resolve) => setTimeout(resolve, 30_000));
      return all.length;`;
    for await (const event of gateway.stream(program, { args: [link], timeout: 30 })) {
      if (event.type === "stdout") break;
    }
    const { status } = await open(link);
    assert.equal(status, 303);
  },
});

Deno.test("the entrance asks who sends a valid code alone, and does not use it up before", async () => {
  const sessions = createSessions({
    now: () => 0,
    newSecret: () => crypto.randomUUID(),
    port: () => 1,
  });
  const guard = { isClient: () => false };
  const entrance = createPageEntrance(
    { guard, sessions } as Partial<PageEntranceDeps> as PageEntranceDeps,
  );
  let questions = 0;
  const visit = async (code: string, isForeign: boolean) => {
    const origin = { isForeign: () => Promise.resolve(++questions > 0 && isForeign) };
    const response = await entrance.admit(new Request(`http://h/?code=${code}`), origin);
    return { status: response?.status, cookie: response?.headers.has("set-cookie") };
  };
  const code = sessions.issueCode();
  assert.deepEqual(await visit("guess", false), { status: 401, cookie: false });
  assert.equal(questions, 0);
  assert.deepEqual(await visit(code, true), { status: 401, cookie: false });
  assert.deepEqual(await visit(code, false), { status: 303, cookie: true });
  assert.deepEqual(await visit(code, false), { status: 401, cookie: false });
  assert.equal(questions, 2);
});
