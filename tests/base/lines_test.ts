/** Lines of a byte stream. */

import assert from "node:assert/strict";
import { ChunkReader, type LineEnds, LineTooLong, readLines } from "#base";

const encoder = new TextEncoder();

/** Reads a text that comes in pieces of `size` bytes. */
function readerOf(text: string, size: number): ChunkReader {
  const bytes = encoder.encode(text);
  let at = 0;
  return new ChunkReader(
    new ReadableStream({
      type: "bytes",
      pull(controller) {
        if (at < bytes.length) return controller.enqueue(bytes.slice(at, at += size));
        controller.close();
        controller.byobRequest?.respond(0);
      },
    }),
  );
}

for (const size of [1, 2, 3, 7, 100]) {
  Deno.test(`readLines() finds the lines of pieces of ${size} bytes`, async () => {
    const text = "one\n\ntwö\n€uro and more\nlast";
    assert.deepEqual(await Array.fromAsync(readLines(readerOf(text, size), 100)), text.split("\n"));
    const ended = await Array.fromAsync(readLines(readerOf("a\nb\n", size), 1));
    assert.deepEqual(ended, ["a", "b"]);
  });

  Deno.test(`readLines() bounds the lines of pieces of ${size} bytes`, async () => {
    const long = "x".repeat(3_000) + "y".repeat(3_000);
    const text = `a\n${long}\nb`;
    const lines = readLines(readerOf(text, size), 4_000);
    await assert.rejects(Array.fromAsync(lines), LineTooLong);
    const ends: LineEnds[] = [];
    const cut = readLines(readerOf(text, size), 4_000, (each) => ends.push(each));
    assert.deepEqual(await Array.fromAsync(cut), ["a", "b"]);
    assert.deepEqual(ends, [{ first: "x".repeat(1_024), last: "y".repeat(1_024) }]);
  });
}
