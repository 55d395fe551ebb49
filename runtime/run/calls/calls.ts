/** The calls of one run: counted, bounded, reported, and ended with it. */

import { isDeepStrictEqual } from "node:util";
import type { JsonValue, Tracer } from "#base";
import {
  type CallOptions,
  type CallOrigin,
  type CallResult,
  type Content,
  type Look,
  PackError,
  type Peer,
  type Registry,
  SLOW_CHECK,
} from "#packs";
import type { CallAnswer, Lease } from "#sandbox";
import { round } from "../record.ts";
import { createForeignText, PAGE } from "./foreign_text.ts";
import { createImages } from "./images.ts";
import { createCallPlaces } from "./places.ts";
import type { PlanHooks } from "../plan/planner.ts";
import type { AskOptions, RunQuestions } from "../approval/run_questions.ts";
import { namesOf } from "../approval/literal_calls.ts";
import type { RunEvent } from "../types.ts";

export interface CallLimits {
  /** Calls in one run. */
  readonly calls: number;
  /** Calls at the same time; further ones wait. */
  readonly inFlight: number;
}

/** Reads the text of the arguments when a call starts, and returns the function that parses it. */
export type ReadArgs = () => (() => unknown) | Promise<() => unknown>;

/** A call as a program makes it. */
export interface ProgramCall {
  readonly wire: string;
  readonly args: ReadArgs;
  readonly retry?: number;
  /** Where the code makes it, if that is known. */
  readonly line?: number;
}

/** Handles one call that came as text: calls the tool and serializes the result or the error. */
export type AnswerCall = (
  request: { readonly name: string; readonly body: string },
  call: (call: ProgramCall) => Promise<CallResult>,
) => Promise<CallAnswer>;

/** Characters of a tool's name. */
const LONGEST_NAME = 1_000;

export interface RunCalls {
  /** Number of calls. */
  count(): number;
  /** The tools that were called, `github.create_issue`, each once. */
  tools(): readonly string[];
  /** Images that came with the parts of this value. */
  images(value: JsonValue): Promise<readonly Content[]>;
  /** Returns true if a tool with foreign text in its results was called. */
  external(): boolean;
  /** True where foreign text came by pages of stored results alone, and the value is such a page: its
   * lines are marked already. */
  isMarked(value: JsonValue): boolean;
  /** Kind of `ot`'s last result, if the value is that result. */
  lookup(value: JsonValue): "listing" | "page" | undefined;
  /** One call of the program. Throws `PackError`. */
  call(call: ProgramCall, signal: AbortSignal): Promise<CallResult>;
  /** Cancels the calls that have not ended. */
  end(): void;
}

export interface RunCallsOptions {
  readonly registry: Registry;
  readonly lease: Lease;
  readonly limits: CallLimits;
  /** No call is made before this resolves: the program may be wrong. */
  readonly ready?: Promise<void>;
  /** Aborted when the run is cancelled: `ready` may resolve then, with nothing known. */
  readonly signal: AbortSignal;
  readonly questions: RunQuestions;
  /** Makes the options of each call where the calls are only planned. */
  readonly planned?: (line?: number) => PlanHooks;
  /** Receives the questions and messages of the called servers. */
  readonly peer: Peer;
  readonly origin?: CallOrigin;
  /** Set for a look. */
  readonly look?: Look;
  /** Names of tools that were warned of before the run. */
  readonly warned: ReadonlySet<string>;
  /** Parent span of every call. */
  readonly span: Tracer;
  readonly onWarning: (message: string) => void;
  readonly onEvent: (event: RunEvent) => void;
  readonly now: () => number;
}

/** Creates the calls of one run. */
export function createRunCalls(options: RunCallsOptions): RunCalls {
  const { registry, lease, limits, now } = options;
  const ended = new AbortController();
  const onEvent = until(ended.signal, options.onEvent);
  const scope = AbortSignal.any([options.signal, ended.signal]);
  const enter = createCallPlaces(limits.inFlight, (wire) => cancelled(registry.nameOf(wire)));
  const called = new Set<string>();
  const onWarning = warnOnce(options);
  let count = 0;
  const foreign = createForeignText();
  const images = createImages();
  const lookups = createLookups();

  async function perform(call: ProgramCall, from: AbortSignal): Promise<CallResult> {
    const { wire, args, retry, line } = call;
    const signal = from === options.signal ? scope : AbortSignal.any([from, scope]);
    using _ = await enter(wire, { signal });
    const read = await parseInTurn(await args(), { ...options, wire, signal });
    return await registry.call(wire, read, { ...handed(signal, { line }), retry });
  }

  async function performWithin(wire: string, args: unknown, options: CallOptions) {
    using _ = await enter(wire, { signal: scope, ...options });
    await options.readsOn?.();
    return await registry.call(wire, args, { ...options, readsOn: undefined });
  }

  /** Builds the options of a call. */
  function handed(signal: AbortSignal, { depth = 0, line }: CallPlace): CallOptions {
    return {
      signal,
      depth,
      origin: options.origin,
      look: options.look,
      span: options.span,
      ...deciding(options, { signal, within: depth > 0, line }),
      peer: options.peer,
      onWarning,
      onForeign: foreign.add,
      onProgress: (progress) => onEvent({ type: "progress", ...progress }),
      callWithin(wire, args, inner) {
        const { span, readsOn } = inner;
        const options = { ...handed(inner.signal ?? signal, inner), span, readsOn };
        return countCall(wire, () => performWithin(wire, args, options));
      },
    };
  }

  /** Throws where the program turned out wrong, or the run has ended before that was known. */
  async function untilReady(wire: string): Promise<void> {
    if (!options.ready) return;
    await options.ready.catch(() => {
      throw cancelled(registry.nameOf(wire));
    });
    if (options.signal.aborted || ended.signal.aborted) throw cancelled(registry.nameOf(wire));
  }

  async function countCall(wire: string, work: () => Promise<CallResult>): Promise<CallResult> {
    if (ended.signal.aborted) throw cancelled(registry.nameOf(wire));
    if (count >= limits.calls) {
      lease.end({ kind: "call_limit", calls: limits.calls });
      throw overLimit(registry.nameOf(wire), limits.calls);
    }
    const id = `c${++count}`;
    if (wire.length > LONGEST_NAME) throw tooLong(wire);
    await untilReady(wire);
    called.add(registry.nameOf(wire));
    const started = now();
    onEvent({ type: "call", tool: registry.nameOf(wire), id });
    let ok = false;
    try {
      const result = await work();
      ok = true;
      foreign.note(wire, result);
      images.add(result);
      return result;
    } catch (error) {
      foreign.note(wire, error);
      if (isSlowCheck(error)) lease.end({ kind: "crashed", reason: error.message });
      throw error;
    } finally {
      onEvent({ type: "called", id, ok, ms: round(now() - started) });
    }
  }

  return {
    count: () => count,
    tools: () => [...called],
    external: foreign.any,
    isMarked: (value) => !foreign.beyondPages() && lookups.kindOf(value) === "page",
    images: (value) => images.of(value),
    async call(call, signal) {
      const result = await countCall(call.wire, () => perform(call, signal));
      if (call.wire.startsWith("ot__")) lookups.note({ wire: call.wire, value: result.value });
      return result;
    },
    lookup: lookups.kindOf,
    end: () => ended.abort(new DOMException("The run has ended", "AbortError")),
  };
}

type ParseOptions =
  & Pick<RunCallsOptions, "registry" | "origin" | "signal">
  & Pick<ProgramCall, "wire">;

/** Parses arguments in turn: a megabyte of small lists holds up all other work. */
async function parseInTurn(
  parse: () => unknown,
  { registry, origin: { within, run } = {}, wire, signal }: ParseOptions,
): Promise<unknown> {
  try {
    return await registry.pace(parse, { client: within ?? run, signal });
  } catch (error) {
    throw signal.aborted ? cancelled(registry.nameOf(wire)) : error;
  }
}

/** Keeps the last result of `ot`. */
function createLookups() {
  let last: { readonly wire: string; readonly value: JsonValue } | undefined;
  return {
    note: (lookup: NonNullable<typeof last>) => void (last = lookup),
    kindOf(value: JsonValue): "listing" | "page" | undefined {
      if (!last || !isDeepStrictEqual(last.value, value)) return undefined;
      return last.wire === PAGE ? "page" : "listing";
    },
  };
}

/** Sends no event after the run's result. */
function until(ended: AbortSignal, send: RunCallsOptions["onEvent"]): RunCallsOptions["onEvent"] {
  return (event) => {
    if (!ended.aborted) send(event);
  };
}

/** Place of a call: its line in the code, or the calls around it. */
interface CallPlace extends Pick<ProgramCall, "line"> {
  readonly depth?: number;
}

type DecidingOptions = Pick<
  CallOptions,
  "ask" | "askWithin" | "instead" | "insteadWithin" | "planned"
>;

/** Builds the options that decide about a call. */
function deciding(
  { planned, questions }: Pick<RunCallsOptions, "planned" | "questions">,
  { line, ...asking }: AskOptions & CallPlace & { readonly within: boolean },
): DecidingOptions {
  if (!planned) return { ...questions.hooks(asking), askWithin: questions.askWithin };
  const hooks = (within: boolean): PlanHooks => {
    const { ask, instead } = planned(line);
    return { ask, instead: (call) => instead({ ...call, within: call.within || within }) };
  };
  return {
    ...hooks(asking.within),
    planned: () => hooks(true),
    askWithin: ({ kind }) => Promise.resolve(kind === "code" ? "no" : "call"),
  };
}

/** Warns of each tool once. */
function warnOnce(
  options: Pick<RunCallsOptions, "warned" | "onWarning">,
): CallOptions["onWarning"] {
  const warned = new Set(options.warned);
  return ({ message, entry }) => {
    const names = entry ? namesOf(entry) : [message];
    if (!names.some((name) => warned.has(name))) options.onWarning(message);
    for (const name of names) warned.add(name);
  };
}

/** Returns true if the check of a call's arguments was too slow: the program makes no further
 * call. */
function isSlowCheck(error: unknown): error is PackError {
  return error instanceof PackError && error.details.reason === SLOW_CHECK;
}

/** Refusal of a call whose run has ended. */
export function cancelled(tool: string): PackError {
  return new PackError("cancelled", `Cannot call "${tool}": the run has ended`, { tool });
}

function overLimit(tool: string, calls: number): PackError {
  const message = `Cannot call "${tool}": the run has made its ${calls} calls: do less in one ` +
    "run, or raise sandbox.calls";
  return new PackError("blocked", message, { tool });
}

function tooLong(wire: string): PackError {
  const message = `Cannot call a tool: its name has ${wire.length} characters: no name is so long`;
  return new PackError("unknown_tool", message);
}
