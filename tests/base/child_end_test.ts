/** Ends of child processes. */

import assert from "node:assert/strict";
import { endWith } from "#base";

/** A process that has ended, of which its status is not known yet: Deno refuses to kill it then. */
function endedChild() {
  const { promise: status, resolve } = Promise.withResolvers<Deno.CommandStatus>();
  const child = {
    status,
    kill() {
      throw new TypeError("Child process has already terminated");
    },
  } as unknown as Deno.ChildProcess;
  return { child, end: () => resolve({ success: true, code: 0, signal: null }) };
}

Deno.test("endWith() passes over a process that ended a moment ago", async () => {
  const { child, end } = endedChild();
  const abort = new AbortController();
  await (async () => {
    await using ended = endWith(child, abort.signal);
    ended.kill();
    abort.abort();
    end();
  })();
  assert.ok(abort.signal.aborted);
});
