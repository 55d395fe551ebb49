/** The main module of a sandbox process: ours, so that the program's own imports are all checked.
 * It makes the scope safe, waits for a program, runs it once and reports. */

import { encode, settle, TooLong } from "./encode.ts";
import { failure } from "./failure.ts";
import { control, GO, type HandOver, type Report, type Word } from "./protocol.ts";
import { type Context, define, scrub } from "./scrub.ts";
import { createStdin } from "./stdin.ts";

const { stdin, stdout, stderr, exit } = Deno;
const { fetch } = globalThis;
const { parse, stringify } = JSON;
const encoder = new TextEncoder();
const gateway = Deno.env.get("TOOLSCRIPT_GATEWAY_URL") ?? "";
const PRELOADED: string = "toolscript";
const forever = new Promise<never>(() => {});

let nonce = "";
let ToolError: unknown;
let over = false;

function say(stream: { writeSync(data: Uint8Array): number }, word: Word): void {
  stream.writeSync(encoder.encode(control(nonce, word)));
}

/** Sends the end of the program, once; the gateway then kills this process. */
async function finish(path: "value" | "report", body: string): Promise<void> {
  if (over) return;
  over = true;
  const sent = fetch(`${gateway}/${path}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body,
  });
  say(stdout, "end");
  say(stderr, "end");
  const answer = await sent;
  await answer.body?.cancel();
}

function report(what: Report): Promise<void> {
  return finish("report", stringify(what));
}

function fail(error: unknown): Promise<void> {
  return report(failure(error, ToolError));
}

function leave(code: number = Deno.exitCode): never {
  say(stdout, `exit ${code | 0}`);
  return exit(code | 0);
}

function onUncaught(event: Event): void {
  event.preventDefault();
  void fail(event instanceof PromiseRejectionEvent ? event.reason : (event as ErrorEvent).error);
}

function onIdle(event: Event): void {
  if (over) return;
  event.preventDefault();
  void fail(new Error("The program waits for something that cannot happen any more"));
}

async function readLine(): Promise<string> {
  const decoder = new TextDecoder();
  let line = "";
  const chunk = new Uint8Array(4096);
  while (!line.endsWith("\n")) {
    const count = await stdin.read(chunk);
    if (count === null) return exit(0);
    line += decoder.decode(chunk.subarray(0, count), { stream: true });
  }
  return line;
}

async function run(handOver: HandOver, begin: Promise<string>): Promise<void> {
  const nothing = Symbol("nothing");
  if (!handOver.early) await begin;
  const address = `${gateway}/program/${handOver.entry}`;
  const program = await import(address);
  say(stdout, "loaded");
  await begin;
  const value: unknown = await program.default(nothing);
  if (value === nothing || value === undefined) {
    return await report({ kind: "nothing", explicit: value !== nothing });
  }
  const settled = await settle(value);
  await finish("value", encode(value, handOver.outputBytes, settled));
}

async function main(): Promise<void> {
  const context: Context = { cwd: "/", exit: leave, gateway };
  ToolError = (await import(PRELOADED)).ToolError;
  scrub(context);
  const ready = await fetch(`${gateway}/ready`, { method: "POST" });
  await ready.body?.cancel();
  const lines = (await readLine()).split("\n");
  const handOver: HandOver = parse(lines[0] ?? "");
  nonce = handOver.nonce;
  context.cwd = handOver.cwd;
  define(Deno, "args", [...handOver.args]);
  define(Deno, "stdin", createStdin(stdin, nonce, handOver.stdin));
  addEventListener("unhandledrejection", onUncaught);
  addEventListener("error", onUncaught);
  addEventListener("beforeunload", onIdle);
  try {
    await run(handOver, lines[1] === GO ? Promise.resolve(GO) : readLine());
  } catch (error) {
    await (error instanceof TooLong ? report({ kind: "output_limit" }) : fail(error));
  }
  await forever;
}

void main();
