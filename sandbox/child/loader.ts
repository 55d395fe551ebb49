/** Makes the scope of a sandbox process safe, waits for a program, runs it once and reports its end. */

import { sizeOf, viewOf } from "./bytes.ts";
import { createCallerReader } from "./caller.ts";
import { createCarrier } from "./calls.ts";
import { encode, settle, TooLong } from "./encode.ts";
import { failure } from "./failure.ts";
import { Inbox } from "./inbox.ts";
import { control, LONGEST_WORD } from "./protocol.ts";
import type { HandOver, Report, Started, Word } from "./protocol.ts";
import { define, scrub } from "./scrub.ts";
import { createStandIns } from "./stand_ins.ts";
import { createStdin } from "./stdin.ts";

const { stdin, stdout, exit } = Deno;
const { fetch, queueMicrotask, PromiseRejectionEvent } = globalThis;
const { preventDefault } = Event.prototype;
const { apply } = Reflect;
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
const standIns = createStandIns(() => send("stdout", word("used")));
/** Value that a program without a value returns. */
const nothing = Symbol("nothing");

/** Exports of `toolscript` that the loader uses. */
export interface Toolscript {
  readonly ToolError?: unknown;
  readonly tools?: Record<string, Record<string, (args: object) => Promise<unknown>>>;
}

/** Program that the loader runs before it waits for the real one: it takes the steps of any program. */
function rehearsal({ tools }: Toolscript): Program {
  return async () => {
    try {
      await tools?.ot?.help?.({});
    } catch {
      // The gateway refuses the call: no run is under way.
    }
    return { list: [1, "two", null, true], nested: { promise: Promise.resolve(3) } };
  };
}

const rehearsalHandOver: HandOver = {
  address: `${gateway}/program/rehearsal.js`,
  text: `(${rehearsal})`,
  cwd: "/",
  args: [],
  stdin: false,
  blocks: false,
  traced: false,
  outputBytes: 1000,
};

/** Output streams that the program has used. */
const touched = { stderr: false };
let nonce = "";
let handOver = rehearsalHandOver;
let toolscript: Toolscript = {};
let isOver = false;
/** Place in the program from where a call is made, where that is asked for. */
let caller = () => "";

/** Control words that wait to be written to stdout. */
let queued = "";

/** Writes control words by functions that no program can have patched: the nonce is in them. */
function send(stream: "stdout" | "stderr", words: string): void {
  const bytes = toBytes(words);
  const size = sizeOf(bytes);
  for (let at = 0; at < size;) at += write[stream](viewOf(bytes, at, size));
}

function word(message: Word): string {
  return control(nonce, message);
}

/** Writes control words of one turn together: each write may wake the gateway. */
function sendLater(message: Word): void {
  if (queued === "") queueMicrotask(sendQueued);
  queued += word(message);
}

function sendQueued(): void {
  const words = queued;
  queued = "";
  send("stdout", words);
}

async function post(path: string, body: string): Promise<void> {
  await fetch(`${gateway}/${path}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body,
  });
}

/** Sends the end of the program, once; the gateway then kills this process. A short end goes with the
 * output, which the gateway reads anyway. */
async function finish(path: "value" | "report", body: string): Promise<void> {
  if (isOver) return;
  isOver = true;
  if (touched.stderr) send("stderr", word("end"));
  const silent = touched.stderr ? "" : word("silent");
  if (path.length + 1 + body.length <= LONGEST_WORD) {
    send("stdout", silent + word(`${path} ${body}`));
  } else {
    send("stdout", silent + word("end"));
    await post(path, body);
  }
  waitForKill();
}

/** Blocks until the gateway kills this process: an exit would clean up, on a processor that the reply
 * needs. */
function waitForKill(): never {
  const chunk = new Uint8Array(65_536);
  while (readSync(chunk) !== null) {
    // Input that the program has not read.
  }
  return exit(0);
}

function report(end: Report): Promise<void> {
  return finish("report", stringify({ __proto__: null, ...end }));
}

function fail(error: unknown): Promise<void> {
  return report(failure(error, toolscript.ToolError));
}

function leave(code: number = Deno.exitCode): never {
  send("stdout", word(`exit ${code | 0}`));
  return exit(code | 0);
}

function onUncaught(event: Event): void {
  apply(preventDefault, event, []);
  void fail(event instanceof PromiseRejectionEvent ? event.reason : (event as ErrorEvent).error);
}

function onIdle(event: Event): void {
  if (isOver) return;
  apply(preventDefault, event, []);
  void fail(
    new Error(
      "The program never finished: it awaits a promise that nothing can settle: " +
        "check for a missing resolve or callback",
    ),
  );
}

type Program = (nothing: symbol) => Promise<unknown>;

async function load(): Promise<Program> {
  const { address, text } = handOver;
  if (text === undefined) {
    // The program is a module, and imports one.
    toolscript = await withCarrier(() => import(PRELOADED));
    return (await import(address)).default;
  }
  try {
    return evaluate(`${text}\n//# sourceURL=${address}`)(toolscript);
  } catch (error) {
    // As a module it fails too, and its error has the position.
    await import(address);
    throw error;
  }
}

async function valueOfProgram(): Promise<unknown> {
  const program = await load();
  return await program(nothing);
}

async function run(): Promise<void> {
  const value = await valueOfProgram();
  standIns.end();
  if (value === nothing || value === undefined) {
    return await report({ kind: "nothing", explicit: value !== nothing });
  }
  // In one turn: calls that the program makes while its value is encoded are not sent.
  await finish("value", encode(value, handOver.outputBytes, await settle(value)));
}

/** Takes every step of a run, so that the code is compiled when the run begins. */
async function rehearse(): Promise<void> {
  for (let turn = 0; turn < 2; turn++) {
    const value = await valueOfProgram();
    encode(value, handOver.outputBytes, await settle(value));
  }
}

/** Loads the module that programs import. Its calls go over the pipes where those are free. */
async function withCarrier(load: () => Toolscript | Promise<Toolscript>): Promise<Toolscript> {
  globalThis.fetch = createCarrier({
    gateway,
    inbox,
    caller: () => caller(),
    write: sendLater,
    fits: (length) => length < LONGEST_WORD && !handOver.blocks,
    watch: standIns.watch,
    fetch,
  });
  try {
    return await load();
  } finally {
    globalThis.fetch = fetch;
  }
}

export interface StartOptions extends Started {
  /** Returns the exports of `toolscript` for programs that are functions. */
  readonly preload: () => Toolscript;
}

/** Runs from the start of the process to its end. */
export async function start({ nonce: ownNonce, readLine, preload }: StartOptions): Promise<void> {
  nonce = ownNonce;
  toolscript = await withCarrier(preload);
  scrub({ cwd: () => handOver.cwd, args: () => handOver.args, exit: leave, gateway, touched });
  const ask = () => send("stdout", word("stdin"));
  define(Deno, "stdin", createStdin({ inbox, ask, about: () => handOver }));
  await rehearse();
  send("stdout", word("ready"));
  addEventListener("unhandledrejection", onUncaught);
  addEventListener("error", onUncaught);
  addEventListener("beforeunload", onIdle);
  handOver = parse(readLine());
  if (handOver.traced) caller = createCallerReader(handOver.address);
  try {
    await run();
  } catch (error) {
    await (error instanceof TooLong ? report({ kind: "output_limit" }) : fail(error));
  }
}
