import assert from "node:assert/strict";
import { endWith, lastWords } from "#base";

/** Reads stdin to its end, which never comes. */
function startStubborn(): Deno.ChildProcess {
  const script = "trap '' TERM INT; echo ready; cat";
  return new Deno.Command("/bin/sh", { args: ["-c", script], stdin: "piped", stdout: "piped" })
    .spawn();
}

async function untilReady({ stdout }: Deno.ChildProcess): Promise<void> {
  const reader = stdout.getReader();
  await reader.read();
  await reader.cancel();
}

const ENDS = {
  "the abort of its signal": (_end, stop) => stop.abort(),
  "kill()": (end) => end.kill(),
  "disposal": (end) => end[Symbol.asyncDispose](),
} satisfies Record<
  string,
  (end: ReturnType<typeof endWith>, stop: AbortController) => unknown
>;

Deno.test("endWith() kills a child that ignores SIGTERM", async (t) => {
  for (const [name, finish] of Object.entries(ENDS)) {
    await t.step(name, async () => {
      const child = startStubborn();
      const stop = new AbortController();
      await using end = endWith(child, stop.signal);
      await untilReady(child);
      await finish(end, stop);
      assert.equal((await child.status).signal, "SIGKILL");
      await child.stdin.abort().catch(() => {});
    });
  }
});

Deno.test("endWith() passes over a child that ended before its status is known", async () => {
  const child = new Deno.Command("true").spawn();
  const status = await child.status;
  assert.throws(() => child.kill("SIGKILL"), TypeError);
  const { promise, resolve } = Promise.withResolvers<Deno.CommandStatus>();
  const late = { status: promise, kill: () => child.kill("SIGKILL") } as Deno.ChildProcess;
  const stop = new AbortController();
  const end = endWith(late, stop.signal);
  end.kill();
  stop.abort();
  resolve(status);
  await end[Symbol.asyncDispose]();
});

Deno.test("endWith() kills at once where the signal was aborted before", async () => {
  const child = startStubborn();
  await using _end = endWith(child, AbortSignal.abort());
  assert.equal((await child.status).signal, "SIGKILL");
  await child.stdin.abort().catch(() => {});
  await child.stdout.cancel();
});

Deno.test("endWith() leaves a child alone that has ended", async () => {
  const child = new Deno.Command("/bin/sh", { args: ["-c", "exit 3"] }).spawn();
  const stop = new AbortController();
  {
    await using end = endWith(child, stop.signal);
    assert.equal((await child.status).code, 3);
    stop.abort();
    end.kill();
  }
  assert.equal((await child.status).signal, null);
});

Deno.test("lastWords() takes the line that names the error", () => {
  const node =
    "x.js:1\n\nError [ERR_MODULE_NOT_FOUND]: Cannot find package 'a'\n    at b (c:1:2) {\n" +
    "  code: 'ERR_MODULE_NOT_FOUND'\n}\n\nNode.js v20.20.2\n";
  const rows: Record<string, string> = {
    [node]: "Error [ERR_MODULE_NOT_FOUND]: Cannot find package 'a'",
    "Traceback (most recent call last):\n  File x\nModuleNotFoundError: No module named 'a'\n":
      "ModuleNotFoundError: No module named 'a'",
    "error: Uncaught (in promise) TypeError: no\n    at file:///errors.ts:1:2\n":
      "error: Uncaught (in promise) TypeError: no",
    "TypeError: first\n  at x\nTypeError: second\n  at errorHandler\n": "TypeError: second",
    "starting\nbad key\n": "bad key",
    "see the Errors page\n": "see the Errors page",
    "": "",
  };
  for (const [output, words] of Object.entries(rows)) assert.equal(lastWords(output), words);
});
