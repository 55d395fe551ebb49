/** Input of an agent's hook on stdin. */

import { isObject } from "#base";
import { CliError } from "../error.ts";
import type { CliIo } from "../io.ts";

export interface HookInput {
  readonly session: string;
  readonly cwd: string;
}

const MAX_BYTES = 1_048_576;
/** Time limit: the agent writes the input at once, so a longer wait means another caller. */
const TIMEOUT_MS = 1_000;

/** Reads and checks the hook's JSON. Throws `CliError` with exit code 1. */
export async function readHookInput(io: CliIo): Promise<HookInput> {
  const value = parse(await readAll(io.stdin.readable));
  if (!isObject(value)) throw invalidInput("it is not a JSON object");
  const { session_id: session, cwd } = value;
  if (typeof session !== "string" || !/^[\w.:@-]{1,200}$/.test(session)) {
    throw invalidInput('"session_id" is missing or malformed');
  }
  if (cwd !== undefined && (typeof cwd !== "string" || !cwd.startsWith("/"))) {
    throw invalidInput('"cwd" is not an absolute path');
  }
  return { session, cwd: await existing(cwd) ?? io.cwd };
}

async function readAll(stream: ReadableStream<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  const deadline = AbortSignal.timeout(TIMEOUT_MS);
  const reader = stream.getReader();
  deadline.addEventListener("abort", () => void reader.cancel());
  let text = "";
  for (let bytes = 0;;) {
    const { done, value } = await reader.read();
    if (deadline.aborted) throw invalidInput("it does not end");
    if (done) return text + decoder.decode();
    bytes += value.length;
    if (bytes > MAX_BYTES) throw invalidInput("it is too long");
    text += decoder.decode(value, { stream: true });
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw invalidInput("it is not JSON", cause);
  }
}

async function existing(cwd: string | undefined): Promise<string | undefined> {
  if (cwd === undefined) return undefined;
  try {
    return (await Deno.stat(cwd)).isDirectory ? cwd : undefined;
  } catch {
    throw invalidInput('there is no folder at its "cwd"');
  }
}

function invalidInput(why: string, cause?: unknown): CliError {
  const message = `Cannot read the hook's input on stdin: ${why}: nothing was started`;
  return new CliError(1, message, { cause });
}
