/** The main module of a sandbox process: takes the loader over stdin and starts it. A module that
 * Deno itself loads it also fetches, copies, parses and keeps, which is a quarter of a start. */

import type { Loader, Word } from "./protocol.ts";

const { stdin, stdout, exit } = Deno;
/** Called by another name it sees the global scope only. */
const evaluate = eval;

/** Blocks while the process is warm: the shortest way from the pipe to the program. The gateway
 * sends one line, and waits. */
function readLine(): string {
  const decoder = new TextDecoder();
  const chunk = new Uint8Array(65_536);
  let text = "";
  while (!text.endsWith("\n")) {
    const count = stdin.readSync(chunk);
    if (count === null) return exit(0);
    text += decoder.decode(chunk.subarray(0, count), { stream: true });
  }
  return text;
}

const nonce = readLine().trimEnd();
const word: Word = "loader";
stdout.writeSync(new TextEncoder().encode(`\0${nonce}${word}\0`));
const loader: Loader = evaluate(JSON.parse(readLine()));
loader({ nonce, readLine });
