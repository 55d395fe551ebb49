/** Main module of a sandbox process: reads the loader from stdin and starts it. Deno would fetch, copy,
 * parse and cache a module that it loads itself, which takes a quarter of a start. */

import type { Loader, Word } from "./protocol.ts";

const { stdin, stdout, exit } = Deno;
/** Called by another name it sees the global scope only. */
const evaluate = eval;

/** Reads one line; blocks while the process is warm, which is the shortest way from the pipe to the
 * program. The gateway sends one line, and waits. */
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
