import assert from "node:assert/strict";
import { MessageWriter } from "../../../packs/process/message_writer.ts";

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

Deno.test("MessageWriter writes at once, and together what comes meanwhile, in order", async () => {
  const { stream, written, go } = slowStream();
  const writer = new MessageWriter(stream);
  const first = writer.write({ n: 1 });
  await turn();
  const others = [writer.write({ n: 2 }), writer.write({ n: 3 })];
  const closed = writer.close();
  assert.deepEqual(written, ['{"n":1}\n']);
  go();
  await turn();
  assert.deepEqual(written, ['{"n":1}\n', '{"n":2}\n{"n":3}\n']);
  go();
  await Promise.all([first, ...others, closed]);
});

Deno.test("MessageWriter tells everybody whose message was not written", async () => {
  const stream = new WritableStream<Uint8Array>({
    write: () => Promise.reject(new Error("The pipe is broken")),
  });
  const writer = new MessageWriter(stream);
  const results = await Promise.allSettled([writer.write(1), writer.write(2)]);
  assert.deepEqual(results.map(({ status }) => status), ["rejected", "rejected"]);
  await assert.rejects(writer.write(3));
});
