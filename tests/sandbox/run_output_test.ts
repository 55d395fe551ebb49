/** Output of a run: reports of the engine are no output of the program. */

import { equal } from "node:assert/strict";
import { RunOutput } from "../../sandbox/run_output.ts";

/** Output after pieces of these lengths. */
function printed(stream: "stdout" | "stderr", text: string, length: number): string {
  const decoder = new TextDecoder();
  let all = "";
  const output = new RunOutput({
    secret: "s3cret",
    maxBytes: 10_000,
    print: (_, bytes) => all += decoder.decode(bytes, { stream: true }),
    onOverrun() {},
  });
  const bytes = new TextEncoder().encode(text);
  for (let at = 0; at < bytes.length; at += length) {
    output.push(stream, bytes.slice(at, at + length));
  }
  output.closeAll();
  return all;
}

const LINE = "\nT: a line of a file\n    at file:///a:1:1\n";
const ROWS: readonly (readonly [text: string, kept: string])[] = [
  [`before\nerror: Uncaught Error: x${LINE}`, "before\n"],
  [`before error: Uncaught (in promise) Error: x${LINE}`, "before "],
  [`error: error: Uncaught Error: x${LINE}`, "error: "],
  ["a\n<--- Last few GCs --->\nmore", "a\n"],
  [`error: Uncaught${LINE}`, ""],
  ["error: Uncaugh", "error: Uncaugh"],
  ["error: Unclear\n\n<--- Last words", "error: Unclear\n\n<--- Last words"],
  ["ends with error: ", "ends with error: "],
  ["the s3cret, error: Unc", "the …, error: Unc"],
  ["", ""],
];

Deno.test("what the engine reports of an error is not the program's output", () => {
  for (const [text, kept] of ROWS) {
    for (const length of [1, 2, 3, 7, 16, 1_000]) {
      equal(printed("stderr", text, length), kept, JSON.stringify([text, length]));
      equal(printed("stdout", text, length), text);
    }
  }
});
