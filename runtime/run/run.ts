/** The order of a run's stages: read, check beside execute, reply. Nothing else. */

import type { Tracer } from "#base";
import {
  type CallResult,
  callSignature,
  isCallOf,
  PackError,
  type Registry,
  type ToolEntry,
} from "#packs";
import { type Sandbox, SandboxError } from "#sandbox";
import type { Catalog } from "../catalog.ts";
import type { Checker } from "../check/types.ts";
import type { Inbox } from "../inbox/mod.ts";
import type { ProgramReader, ReadyProgram } from "../program/types.ts";
import { approve } from "./approval/approve.ts";
import { createCallKeeper } from "./approval/call_keeper.ts";
import { createPerson, type PersonOptions, waitingProgress } from "./approval/person.ts";
import type { ProgramCall, RunCalls } from "./calls/calls.ts";
import { type CheckDeps, checkProgram, type Verdict } from "./check_program.ts";
import { RunRefused } from "./errors.ts";
import { execute, type ExecuteDeps } from "./execute.ts";
import { explainDiagnostics, type Explained, type SignatureSource } from "./problem/problem.ts";
import { withResults } from "./problem/results.ts";
import { isDeferred, plan, plannedCalls, planningOf, withSharedInput } from "./plan/planning.ts";
import { readRequest } from "./read_request.ts";
import { type OpenedRun, openRecord } from "./record.ts";
import { type IncomingRun, originOf, type RunOptions, takeLease, withoutPerson } from "./stage.ts";
import type { RunReply, RunRequest } from "./types.ts";
import { traced } from "./traced.ts";
import { type RejectedRun, type RunWatcher, watched } from "./watched.ts";

export interface RunnerDeps extends Omit<ExecuteDeps, "running"> {
  readonly reader: ProgramReader;
  readonly sandbox: Sandbox;
  readonly checker: Checker;
  readonly catalog: Catalog;
  /** Times runs and their stages; nothing is timed where it is missing. */
  readonly tracer?: Tracer;
  readonly runId: () => string;
  /** Receives every run that was accepted; never throws. */
  readonly onRun?: (run: EndedRun) => void;
  /** Receives every run that was not accepted; never throws. */
  readonly onRejected?: (run: RejectedRun) => void;
  /** Follows every run from its begin. */
  readonly watch?: RunWatcher;
}

/** A run that has ended, for the statistics. */
export interface EndedRun {
  readonly request: RunRequest;
  readonly reply: RunReply;
  readonly client?: string;
  /** The run that it was a part of. */
  readonly within?: string;
}

export interface Runner {
  /** Runs a program and returns its reply. Throws `RunRefused` when the run was not accepted. */
  run(request: RunRequest, options: RunOptions): Promise<RunReply>;
  /** A call that a running program made, known by its secret. Throws `PackError`. */
  call(secret: string, call: ProgramCall, signal: AbortSignal): Promise<CallResult>;
  /** Runs under way. */
  active(): number;
  /** Takes no further runs, waits up to `graceMs` for those under way, then cancels them. */
  close(graceMs: number): Promise<void>;
}

/** The type check failed: the program must not begin. */
class CheckFailed extends Error {
  override readonly name = "CheckFailed";
  readonly code = "type_error";
  readonly verdict: Extract<Verdict, { kind: "failed" }>;
  constructor(verdict: Extract<Verdict, { kind: "failed" }>) {
    super("The program does not type-check");
    this.verdict = verdict;
  }
}

/** Builds the runner over its parts. */
export function createRunner(deps: RunnerDeps): Runner {
  const running = new Map<string, RunCalls>();
  const closing = new AbortController();
  const runs = new Set<Promise<unknown>>();
  const learned = (entry: ToolEntry) => deps.shapes.resultOf(entry);
  let open = true;

  async function run(
    { request, options: received }: Pick<IncomingRun, "request" | "options">,
    opened: OpenedRun,
  ): Promise<RunReply> {
    if (!open) throw new RunRefused("unavailable", "Cannot run: the gateway is shutting down");
    const options = request.look ? withoutPerson(received) : received;
    const record = openRecord(opened, { now: deps.now, onEvent: options.onEvent });
    const signal = AbortSignal.any([options.signal, closing.signal]);
    const origin = originOf({ options, record });
    const keeper = createCallKeeper({ pace: deps.registry.pace, origin });
    const incoming = { request, options, record, origin, keeper, signal };
    const reading = await readRequest(incoming, deps);
    return reading.kind === "ended" ? reading.reply : runProgram(reading.program, incoming);
  }

  async function runProgram(program: ReadyProgram, incoming: IncomingRun): Promise<RunReply> {
    const { options, record } = incoming;
    deps.catalog.sync();
    const way = personOf(incoming, deps.inbox);
    const person = options.ask ?? createPerson(way);
    const planning = planningOf({ incoming, program, isAsked: person !== undefined }, deps);
    let checking: Promise<void> | undefined;
    const passed = !deps.catalog.current() && deps.checker.hasPassed(program.check);
    const checked = () => {
      if (passed) return undefined;
      return checking ??= record.time(
        "check",
        () => check(program, incoming, { ...deps, learned }),
      );
    };
    try {
      const approval = await approve(program.validation, {
        ...deps,
        ...incoming,
        file: program.program.entry,
        ask: person,
        repeatable: options.repeatable === true,
        planned: await plannedCalls(incoming, deps),
        defers: isDeferred(incoming, planning),
        entries: () => deps.registry.entries(),
        decide: deps.registry.decide,
        beforeQuestions: checked,
      });
      if (approval.kind === "refused") return record.fail(approval.explained);
      const ready = checked();
      ready?.catch(() => {}); // told where it is awaited, once there is a process
      const request = planning ? withSharedInput(incoming.request) : incoming.request;
      const stage = { ...incoming, request, program, approval, ready, person };
      const ended = planning && await plan(planning, stage, { ...deps, running, person: way });
      if (ended) return ended;
      await using lease = await takeLease(incoming, deps.sandbox);
      record.started();
      return await execute({ ...stage, lease }, { ...deps, running });
    } catch (error) {
      if (!(error instanceof CheckFailed)) throw refusal(error);
      return record.fail(explainCheck(error, program, { ...deps, learned }));
    }
  }

  return {
    run(request, options) {
      const start = { request, options };
      const { client, within, planned } = options;
      const under = traced(deps, start, (opened) => {
        const begun = { run: opened.run, request, client, within };
        const work = (onEvent: RunOptions["onEvent"]) => {
          return run({ request, options: { ...options, onEvent } }, opened);
        };
        const watch = planned ? undefined : deps.watch;
        return watched({ ...deps, watch, begun, onEvent: options.onEvent }, work);
      }).then((reply) => {
        if (!planned) deps.onRun?.({ request, reply, client, within });
        return reply;
      });
      const settled = under.catch(() => {}).finally(() => runs.delete(settled));
      runs.add(settled);
      return under;
    },
    async call(secret, call, signal) {
      const calls = running.get(secret);
      if (calls) return await calls.call(call, signal);
      const tool = deps.registry.nameOf(call.wire);
      throw new PackError("cancelled", `Cannot call "${tool}": no run is under way here`, { tool });
    },
    active: () => runs.size,
    async close(graceMs) {
      open = false;
      const timer = setTimeout(() => closing.abort(), graceMs);
      await Promise.all(runs);
      clearTimeout(timer);
    },
  };
}

/** Throws `CheckFailed` where the program is wrong. */
async function check(
  program: ReadyProgram,
  { record, signal, options }: IncomingRun,
  deps: RunnerDeps & Pick<CheckDeps, "learned">,
): Promise<void> {
  await deps.catalog.current();
  if (signal.aborted) return; // The execution tells that it was cancelled.
  const client = options.peer?.connection ?? options.client;
  const result = await checkProgram(program, deps, { signal, client });
  if (result.kind === "failed") throw new CheckFailed(result);
  if (result.kind === "passed") return;
  const advice = `The program was not type-checked: ${result.reason}`;
  if (deps.settings().check === "strict") throw new RunRefused("unavailable", advice);
  record.warn(advice);
}

/** The way to the person of a run, through the inbox. */
function personOf({ options, record }: IncomingRun, inbox: Inbox): PersonOptions {
  const { answerers, waits } = options;
  return {
    inbox,
    run: record.run,
    answerers,
    waits,
    onWaiting(notice) {
      const { address } = notice;
      record.started();
      record.event({ type: "progress", ...waitingProgress(notice), address });
    },
  };
}

function explainCheck(
  { verdict: { diagnostics, about } }: CheckFailed,
  program: ReadyProgram,
  { registry, learned }: Pick<CheckDeps, "registry" | "learned">,
): Explained {
  const signatureAt = signatures(program, registry);
  return withResults(explainDiagnostics(diagnostics, { ...program, signatureAt }), about, learned);
}

function signatures(program: ReadyProgram, registry: Registry): SignatureSource["signatureAt"] {
  return (file, place) => {
    const call = program.toolCallAt(file, place);
    const entry = call && registry.entries().find((entry) => isCallOf(entry, call));
    return entry && callSignature(entry);
  };
}

function refusal(error: unknown): unknown {
  if (!(error instanceof SandboxError)) return error;
  return new RunRefused(error.code, error.message, { cause: error });
}
