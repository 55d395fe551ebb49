/** Makes the scope of a sandbox process safe, waits for a program, runs it once and reports. It came
 * from the gateway, so that the program's own imports are all checked. */

import { sizeOf, viewOf } from "./bytes.ts";
import { createCarrier } from "./calls.ts";
import { encode, settle, TooLong } from "./encode.ts";
import { failure } from "./failure.ts";
import { Inbox } from "./inbox.ts";
import { control, LONGEST_WORD } from "./protocol.ts";
import type { HandOver, Report, Started, Word } from "./protocol.ts";
import { rehearsal } from "./rehearsal.ts";
import { define, scrub } from "./scrub.ts";
import { createStdin } from "./stdin.ts";

const { stdin, stdout, exit } = Deno;
const { fetch, queueMicrotask } = globalThis;
const { parse, stringify } = JSON;
const utf8 = new TextEncoder();
const toBytes = utf8.encode.bind(utf8);
const readSync = stdin.readSync.bind(stdin);
const write = {
  stdout: stdout.writeSync.bind(stdout),
  stderr: Deno.stderr.writeSync.bind(Deno.stderr),
};
const gateway = Deno.env.get("TOOLSCRIPT_GATEWAY_URL") ?? "";
const PRELOADED: string = "toolscript";
/** Called by another name it sees the global scope only. */
const evaluate = eval;
const inbox = new Inbox(stdin);
/** What a program returns that has no value. */
const nothing = Symbol("nothing");

/** What programs import, as far as the loader knows it. */
export interface Toolscript {
  readonly ToolError?: unknown;
  readonly tools?: Record<string, Record<string, (args: object) => Promise<unknown>>>;
}

const nobody: HandOver = {
  entry: "",
  cwd: "/",
  args: [],
  stdin: false,
  blocks: false,
  outputBytes: 1000,
};
/** What the program has laid its hands on. */
const touched = { stderr: false };
let nonce = "";
let handOver = nobody;
let toolscript: Toolscript = {};
let isOver = false;

/** Words for stdout that are said soon. */
let queued = "";

/** Writes words, with nothing between that a program can have patched: its nonce is in them. */
function say(stream: "stdout" | "stderr", words: string): void {
  const bytes = toBytes(words);
  const size = sizeOf(bytes);
  for (let at = 0; at < size;) at += write[stream](viewOf(bytes, at, size));
}

function word(what: Word): string {
  return control(nonce, what);
}

/** Words of one moment go together: each write may wake the gateway. */
function sayLater(what: Word): void {
  if (queued === "") queueMicrotask(sayQueued);
  queued += word(what);
}

function sayQueued(): void {
  const words = queued;
  queued = "";
  say("stdout", words);
}

async function post(path: string, body: string): Promise<void> {
  await fetch(`${gateway}/${path}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body,
  });
}

/** Sends the end of the program, once; the gateway then kills this process. A short one goes with
 * the output, which the gateway reads anyway. */
async function finish(path: "value" | "report", body: string): Promise<void> {
  if (isOver) return;
  isOver = true;
  if (touched.stderr) say("stderr", word("end"));
  const silent = touched.stderr ? "" : word("silent");
  if (path.length + 1 + body.length <= LONGEST_WORD) {
    say("stdout", silent + word(`${path} ${body}`));
  } else {
    say("stdout", silent + word("end"));
    await post(path, body);
  }
  rest();
}

/** Blocks until the gateway kills this process: leaving by itself it would tidy up, on a processor
 * that the reply needs. */
function rest(): never {
  const chunk = new Uint8Array(65_536);
  while (readSync(chunk) !== null) {
    // Input that nobody reads any more.
  }
  return exit(0);
}

function report(what: Report): Promise<void> {
  return finish("report", stringify({ __proto__: null, ...what }));
}

function fail(error: unknown): Promise<void> {
  return report(failure(error, toolscript.ToolError));
}

function leave(code: number = Deno.exitCode): never {
  say("stdout", word(`exit ${code | 0}`));
  return exit(code | 0);
}

function onUncaught(event: Event): void {
  event.preventDefault();
  void fail(event instanceof PromiseRejectionEvent ? event.reason : (event as ErrorEvent).error);
}

function onIdle(event: Event): void {
  if (isOver) return;
  event.preventDefault();
  void fail(new Error("The program waits for something that cannot happen any more"));
}

type Program = (nothing: symbol) => Promise<unknown>;

async function load(): Promise<Program> {
  const address = `${gateway}/program/${handOver.entry}`;
  if (handOver.text === undefined) {
    // What it imports is a module of its own.
    toolscript = await carried(() => import(PRELOADED));
    return (await import(address)).default;
  }
  try {
    return compile(handOver.text, address);
  } catch (error) {
    // As a module it fails too, and tells where.
    await import(address);
    throw error;
  }
}

function compile(text: string, address: string): Program {
  return evaluate(`${text}\n//# sourceURL=${new URL(address).href}`)(toolscript);
}

async function run(): Promise<void> {
  const program = await load();
  const value = await program(nothing);
  if (value === nothing || value === undefined) {
    return await report({ kind: "nothing", explicit: value !== nothing });
  }
  await finish("value", encode(value, handOver.outputBytes, await settle(value)));
}

/** Takes every step of a run, so that the run finds its code compiled. */
async function rehearse(): Promise<void> {
  const program = compile(`(() => ${rehearsal})`, `${gateway}/program/rehearsal.js`);
  for (const turn of [1, 2]) {
    const value = await program(nothing);
    encode(value, handOver.outputBytes, await settle(value));
    await rehearseCall(turn);
  }
}

/** Loads what programs import; its calls go over the pipes, where those are free for them. */
async function carried(load: () => Toolscript | Promise<Toolscript>): Promise<Toolscript> {
  globalThis.fetch = createCarrier({
    gateway,
    inbox,
    say: sayLater,
    carries: (length) => length < LONGEST_WORD && !handOver.blocks,
    fetch,
  });
  try {
    return await load();
  } finally {
    globalThis.fetch = fetch;
  }
}

async function rehearseCall(turn: number): Promise<void> {
  try {
    await toolscript.tools?.rehearsal?.call?.({ turn });
  } catch {
    // The gateway refuses it: no run is under way.
  }
}

export interface StartOptions extends Started {
  /** Makes what programs import, for those that are no modules. */
  readonly preload: () => Toolscript;
}

/** From the start of the process to its end. */
export async function start({ nonce: given, readLine, preload }: StartOptions): Promise<void> {
  nonce = given;
  toolscript = await carried(preload);
  scrub({ cwd: () => handOver.cwd, args: () => handOver.args, exit: leave, gateway, touched });
  const ask = () => say("stdout", word("stdin"));
  define(Deno, "stdin", createStdin({ inbox, ask, about: () => handOver }));
  await rehearse();
  say("stdout", word("ready"));
  addEventListener("unhandledrejection", onUncaught);
  addEventListener("error", onUncaught);
  addEventListener("beforeunload", onIdle);
  handOver = parse(readLine());
  try {
    await run();
  } catch (error) {
    await (error instanceof TooLong ? report({ kind: "output_limit" }) : fail(error));
  }
}
