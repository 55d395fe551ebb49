import assert from "node:assert/strict";
import { openSink } from "#cli";

Deno.test("concurrent writes arrive whole, in order, and before flush() resolves", async () => {
  const pipe = narrowPipe();
  const sink = openSink(pipe.stream, {});
  const encoder = new TextEncoder();
  for (const word of ["first\n", "second\n", "third\n"]) void sink.write(encoder.encode(word));
  await sink.flush();
  assert.equal(pipe.text(), "first\nsecond\nthird\n");
});

Deno.test("a failed write rejects for its writer only", async () => {
  const pipe = narrowPipe();
  const sink = openSink(pipe.stream, {});
  pipe.fail(new Deno.errors.Interrupted("once"));
  await assert.rejects(sink.write(new Uint8Array([65])), /once/);
  await sink.write(new Uint8Array([66]));
  assert.equal(pipe.text(), "B");
});

Deno.test("a pipe without a reader does not block the end", async () => {
  const sink = openSink(stream(() => new Promise<number>(() => {})), {});
  void sink.write(new Uint8Array([65]));
  await sink.flush();
});

/** A pipe that takes three bytes at a time, later. */
function narrowPipe() {
  const taken: number[] = [];
  let failure: Error | undefined;
  return {
    text: () => new TextDecoder().decode(new Uint8Array(taken)),
    fail: (error: Error) => failure = error,
    stream: stream(async (data) => {
      await new Promise((done) => setTimeout(done, 1));
      const error = failure;
      failure = undefined;
      if (error) throw error;
      taken.push(...data.subarray(0, 3));
      return Math.min(3, data.length);
    }),
  };
}

function stream(write: typeof Deno.stdout.write): typeof Deno.stdout {
  return { write, isTerminal: () => false } as Partial<typeof Deno.stdout> as typeof Deno.stdout;
}
