/** First words of an MCP client to a server that it has started, as the client says them. */

import {
  ChunkReader,
  isObject,
  type JsonObject,
  lastWords,
  LineTooLong,
  readLines,
  within,
} from "#base";
import type { Start } from "../../connect/clients.ts";

export interface HandshakeOptions {
  readonly start: Start;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Name of the client. */
  readonly client: string;
  /** Version of the protocol. */
  readonly protocol: string;
  /** Ends the handshake. */
  readonly signal: AbortSignal;
  readonly now: () => number;
}

/** Things that a client gets to see. */
export interface Greeting {
  readonly instructions: string;
  readonly tools: readonly JsonObject[];
  /** Milliseconds from the start of the process to the last answer. */
  readonly ms: number;
}

const MAX_LINE_BYTES = 8 * 1024 * 1024;
const MOST_PAGES = 20;
const LAST_WORDS = 300;
/** Time that the process has to end by itself, and then at a signal. */
const GRACE_MS = 5_000;

/** Starts the server, and asks for its tools. The process has ended when this settles. Throws `Error`
 * with the server's last words where it ends, or says something else. */
export async function shakeHands(options: HandshakeOptions): Promise<Greeting> {
  const { start: { command, args }, cwd, env, signal, now } = options;
  signal.throwIfAborted();
  const began = now();
  const child = new Deno.Command(command, {
    args: [...args],
    cwd,
    env: { ...env },
    clearEnv: true,
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const stdin = child.stdin.getWriter();
  const stdout = new ChunkReader(child.stdout);
  const stderr = listen(child.stderr);
  const stop = () => void stdout.cancel().catch(() => {}); // it has ended
  signal.addEventListener("abort", stop, { once: true });
  try {
    const greeting = await talk({ stdin, lines: readLines(stdout, MAX_LINE_BYTES) }, options);
    if (greeting) return { ...greeting, ms: now() - began };
    signal.throwIfAborted();
    await end(child, stdin);
    const words = await stderr.lastWords();
    throw new Error(words === "" ? "it ended without an answer" : `it ended: it wrote "${words}"`);
  } catch (error) {
    stop(); // one that writes on ends now
    throw error;
  } finally {
    signal.removeEventListener("abort", stop);
    await end(child, stdin);
    stop();
    stderr.cancel();
  }
}

interface Pipes {
  readonly stdin: WritableStreamDefaultWriter<Uint8Array>;
  readonly lines: AsyncGenerator<string>;
}

/** Says the first words. Undefined where the server ends before its last answer. */
async function talk(
  { stdin, lines }: Pipes,
  { client, protocol }: HandshakeOptions,
): Promise<Omit<Greeting, "ms"> | undefined> {
  const say = async (message: JsonObject) => {
    const text = `${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`;
    await stdin.write(new TextEncoder().encode(text)).catch(() => {}); // its end shows at stdout
  };
  const ask = async (id: number, method: string, params: JsonObject) => {
    await say({ id, method, params });
    return await answerTo(id, lines);
  };
  try {
    const clientInfo = { name: client, version: "1" };
    const first = { protocolVersion: protocol, capabilities: {}, clientInfo };
    const hello = await ask(1, "initialize", first);
    if (!hello) return undefined;
    await say({ method: "notifications/initialized" });
    const tools: JsonObject[] = [];
    let cursor: unknown;
    for (let id = 2; id < MOST_PAGES; id++) {
      const page = await ask(id, "tools/list", typeof cursor === "string" ? { cursor } : {});
      if (!page) return undefined;
      tools.push(...Array.isArray(page.tools) ? page.tools.filter(isObject) as JsonObject[] : []);
      cursor = page.nextCursor;
      if (typeof cursor !== "string") break;
    }
    const { instructions } = hello;
    return { instructions: typeof instructions === "string" ? instructions : "", tools };
  } catch (error) {
    if (error instanceof LineTooLong) throw new Error("its answer is too long");
    throw error;
  }
}

/** The result of a request; other messages are passed over. Undefined at the end of the stream. */
async function answerTo(
  id: number,
  lines: AsyncGenerator<string>,
): Promise<Record<string, unknown> | undefined> {
  for (let next = await lines.next(); !next.done; next = await lines.next()) {
    const message = parse(next.value);
    if (message.id !== id) continue;
    if (isObject(message.result)) return message.result;
    const { error } = message;
    const text = isObject(error) && typeof error.message === "string" ? error.message : "";
    throw new Error(`it refuses: ${text.slice(0, LAST_WORDS)}`);
  }
  return undefined;
}

function parse(line: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(line);
    return isObject(value) ? value : {};
  } catch {
    throw new Error(`it writes what is no message: "${line.slice(0, LAST_WORDS)}"`);
  }
}

/** Ends the process as clients do: no more input, then a signal, then the end. */
async function end(
  child: Deno.ChildProcess,
  stdin: WritableStreamDefaultWriter<Uint8Array>,
): Promise<void> {
  await stdin.close().catch(() => {}); // it is closed at the other end
  for (const signal of ["SIGTERM", "SIGKILL"] as const) {
    if (await within(child.status, GRACE_MS)) return;
    child.kill(signal);
  }
  await child.status;
}

/** Reads a stream in little memory. Its end may be held open by a process that this one left. */
function listen(stream: ReadableStream<Uint8Array>) {
  const decoder = new TextDecoder();
  const reader = new ChunkReader(stream);
  let text = "";
  const ended = reader.each((chunk) => {
    text = (text + decoder.decode(chunk, { stream: true })).slice(-4 * LAST_WORDS);
  });
  return {
    async lastWords(): Promise<string> {
      await within(ended, GRACE_MS);
      return lastWords(text).slice(-LAST_WORDS);
    },
    cancel: () => void reader.cancel().catch(() => {}), // it has ended
  };
}
