/** Words among the output, however the pipe cuts them. */

import { deepEqual, equal } from "node:assert/strict";
import { control, LONGEST_WORD } from "../../sandbox/child/protocol.ts";
import { OutputReader } from "../../sandbox/process/output.ts";

const NONCE = "n0nce";
const encoder = new TextEncoder();

/** What a reader finds in pieces of these sizes, the data between two words as one. */
function read(text: string, sizes: () => number): string[] {
  const events: string[] = [];
  const decoder = new TextDecoder();
  let data = "";
  const settle = () => {
    if (data !== "") events.push(`data ${data}`);
    data = "";
  };
  const reader = new OutputReader(NONCE, {
    data: (bytes) => data += decoder.decode(bytes, { stream: true }),
    word(word) {
      settle();
      events.push(`word ${word}`);
    },
  });
  const bytes = encoder.encode(text);
  for (let at = 0; at < bytes.length;) {
    const end = at + sizes();
    // A reader's buffer is used again: what it kept without a copy would change.
    const chunk = bytes.slice(at, end);
    reader.push(chunk);
    chunk.fill(0);
    at = end;
  }
  reader.end();
  settle();
  return events;
}

Deno.test("words are recognized however the pipe cuts them, and no output is lost", () => {
  const long = `value ${"ü".repeat(3_000)}`;
  const text = `a\0b${control(NONCE, "ready")}${control(NONCE, "silent")}` +
    `\0${NONCE.slice(0, 3)}x\0\0${control(NONCE, long as `value ${string}`)}last\0${NONCE}open`;
  const expected = [
    "data a\0b",
    "word ready",
    "word silent",
    `data \0${NONCE.slice(0, 3)}x\0\0`,
    `word ${long}`,
    `data last\0${NONCE}open`,
  ];
  let seed = 1;
  const random = () => (seed = (seed * 48_271) % 2_147_483_647) % 40 + 1;
  for (const sizes of [() => 1, () => 2, () => 7, () => 1_000, () => 1e6, random]) {
    deepEqual(read(text, sizes), expected);
  }
});

Deno.test("text longer than any word is output of the program", () => {
  const rubbish = `\0${NONCE}${"x".repeat(3 * LONGEST_WORD + 1)}`;
  const events = read(`${rubbish}${control(NONCE, "end")}`, () => 65_536);
  equal(events.length, 2);
  equal(events[0]?.length, "data ".length + rubbish.length);
  equal(events[1], "word end");
});
