import assert from "node:assert/strict";
import { BatchWriter } from "#base";

/** A stream that keeps what each write brought, each at the word of `go`. */
function slowStream() {
  const written: string[] = [];
  const gates: PromiseWithResolvers<void>[] = [];
  const decoder = new TextDecoder();
  const stream = new WritableStream<Uint8Array>({
    write(bytes) {
      written.push(decoder.decode(bytes));
      const gate = Promise.withResolvers<void>();
      gates.push(gate);
      return gate.promise;
    },
  });
  return { stream, written, go: () => gates.shift()?.resolve() };
}

const turn = () => new Promise((resolve) => setTimeout(resolve));

Deno.test("BatchWriter writes the first part at once, and later parts together, in order", async () => {
  const { stream, written, go } = slowStream();
  const writer = new BatchWriter(stream);
  const first = writer.write("1\n");
  await turn();
  const others = [writer.write("2\n"), writer.write(new TextEncoder().encode("3\n"))];
  const closed = writer.close();
  assert.deepEqual(written, ["1\n"]);
  go();
  await turn();
  assert.deepEqual(written, ["1\n", "2\n3\n"]);
  go();
  await Promise.all([first, ...others, closed]);
});

Deno.test("BatchWriter rejects each write that failed", async () => {
  const stream = new WritableStream<Uint8Array>({
    write: () => Promise.reject(new Error("The pipe is broken")),
  });
  const writer = new BatchWriter(stream);
  const results = await Promise.allSettled([writer.write("1"), writer.write("2")]);
  assert.deepEqual(results.map(({ status }) => status), ["rejected", "rejected"]);
  await assert.rejects(writer.write("3"));
});
