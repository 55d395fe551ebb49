/** Errors that nothing caught, in a process of its own: they would end the test. */

import assert from "node:assert/strict";

const PROGRAM = `
  import { onUncaught } from ${
  JSON.stringify(new URL("../../cli/interruptible.ts", import.meta.url))
};
  const stop = onUncaught((error) => console.log(String(error)));
  setTimeout(() => { throw new TypeError("in an event"); });
  setTimeout(() => void Promise.reject("in a promise"));
  setTimeout(() => { stop(); console.log("alive"); throw new Error("after the end"); }, 100);
`;

Deno.test("onUncaught() keeps the process alive until it is stopped", async () => {
  const args = ["eval", "--no-check", PROGRAM];
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), { args }).output();
  const decoder = new TextDecoder();
  assert.equal(decoder.decode(stdout), "TypeError: in an event\nin a promise\nalive\n");
  assert.match(decoder.decode(stderr), /after the end/);
  assert.equal(code, 1);
});
