/** The order of a run's stages: read, check beside hand-over, execute, reply. Nothing else. */

import { type CallResult, PackError, type Registry, signature } from "#packs";
import { type Execution, type Lease, type Sandbox, SandboxError } from "#sandbox";
import type { Catalog } from "../catalog.ts";
import type { Checker, Diagnostic } from "../check/types.ts";
import type { ReplyWriter } from "../reply/mod.ts";
import type { ProgramReader, ReadyProgram } from "../program/types.ts";
import { type CallLimits, createRunCalls, type RunCalls } from "./calls.ts";
import { RunRefused } from "./errors.ts";
import { explainDiagnostics, explainFinding, type SignatureSource } from "./problem.ts";
import { openRecord, type RunRecord } from "./record.ts";
import { replyTo } from "./reply.ts";
import type { RunEvent, RunReply, RunRequest } from "./types.ts";

export interface RunnerDeps {
  readonly reader: ProgramReader;
  readonly sandbox: Sandbox;
  readonly checker: Checker;
  readonly catalog: Catalog;
  readonly registry: Registry;
  readonly writer: ReplyWriter;
  readonly limits: CallLimits & { readonly timeoutMs: number };
  /** Whether a run that could not be checked is refused or goes on with a warning. */
  readonly check: "warn" | "strict";
  readonly now: () => number;
  readonly runId: () => string;
}

export interface RunOptions {
  readonly signal: AbortSignal;
  readonly onEvent?: (event: RunEvent) => void;
}

export interface Runner {
  /** Runs a program and answers whatever it did. Throws `RunRefused` when it was not taken. */
  run(request: RunRequest, options: RunOptions): Promise<RunReply>;
  /** A call that a running program made, known by its secret. Throws `PackError`. */
  call(secret: string, wire: string, args: unknown, signal: AbortSignal): Promise<CallResult>;
  /** Runs under way. */
  active(): number;
  /** Takes no further runs, waits up to `graceMs` for those under way, then cancels them. */
  close(graceMs: number): Promise<void>;
}

/** The type check failed: the program must not begin. */
class CheckFailed extends Error {
  override readonly name = "CheckFailed";
  readonly diagnostics: readonly Diagnostic[];
  constructor(diagnostics: readonly Diagnostic[]) {
    super("The program does not type-check");
    this.diagnostics = diagnostics;
  }
}

/** Builds the runner over its parts. */
export function createRunner(deps: RunnerDeps): Runner {
  const running = new Map<string, RunCalls>();
  const closing = new AbortController();
  const runs = new Set<Promise<unknown>>();
  let open = true;

  async function run(request: RunRequest, options: RunOptions): Promise<RunReply> {
    if (!open) throw new RunRefused("unavailable", "Cannot run: the gateway is shutting down");
    const record = openRecord(deps.runId(), { now: deps.now, onEvent: options.onEvent });
    const signal = AbortSignal.any([options.signal, closing.signal]);
    let read = await record.time("parse", () => deps.reader.read(request, { signal }));
    if (read.kind === "program" && await waitForServers(read, record, signal)) {
      // A command is read with the tools' parameters in mind, which are known only now.
      deps.catalog.sync();
      read = await deps.reader.read(request, { signal });
    }
    if (read.kind === "finding") {
      return record.fail(explainFinding(read.finding, (file) => authorText(request, file)));
    }
    deps.catalog.sync();
    await using lease = await takeLease(deps.sandbox, signal);
    record.started();
    return await execute({ program: read, request, lease, record, signal });
  }

  async function execute(stage: Stage): Promise<RunReply> {
    const { lease, record, program } = stage;
    const calls = createRunCalls({
      registry: deps.registry,
      lease,
      limits: deps.limits,
      onEvent: record.event,
      now: deps.now,
    });
    running.set(lease.secret, calls);
    try {
      const execution = await executeChecked(stage);
      return await replyTo(execution, { calls, stage, writer: deps.writer });
    } catch (error) {
      if (error instanceof CheckFailed) {
        const signatureAt = signatures(program, deps.registry);
        return record.fail(explainDiagnostics(error.diagnostics, { ...program, signatureAt }));
      }
      throw refusal(error);
    } finally {
      running.delete(lease.secret);
      calls.end();
    }
  }

  async function executeChecked(stage: Stage): Promise<Execution> {
    const { program, request, lease, record, signal } = stage;
    const ready = record.time("check", () => check(program, record, signal));
    // Modules beside the program execute as soon as they are loaded: they are not handed over
    // before they are known to be right.
    if (program.program.modules.size > 1) await ready;
    return await lease.execute(program.program, {
      ready,
      cwd: request.cwd,
      args: request.kind === "script" ? request.args : [],
      timeoutMs: Math.min(request.timeoutMs ?? Infinity, deps.limits.timeoutMs),
      stdin: request.stdin,
      onOutput: record.output,
      signal,
    });
  }

  async function check(
    program: ReadyProgram,
    record: RunRecord,
    signal: AbortSignal,
  ): Promise<void> {
    await deps.catalog.current();
    if (signal.aborted) return; // The execution tells that it was cancelled.
    const result = await deps.checker.check(program.check, { signal });
    if (result.kind === "failed") throw new CheckFailed(result.diagnostics);
    if (result.kind === "passed") return;
    const advice = `The program was not type-checked: ${result.reason}`;
    if (deps.check === "strict") throw new RunRefused("unavailable", advice);
    record.warn(advice);
  }

  /** Whether there was something to wait for. */
  async function waitForServers(
    program: ReadyProgram,
    record: RunRecord,
    signal: AbortSignal,
  ): Promise<boolean> {
    const pending = pendingPacks(deps.registry, program.servers);
    if (pending.length === 0) return false;
    record.started();
    record.event({
      type: "progress",
      progress: 0,
      total: pending.length,
      message: `Connecting to ${pending.join(", ")}`,
    });
    await abortable(deps.registry.settle(pending), signal);
    return true;
  }

  return {
    run(request, options) {
      const under = run(request, options);
      const settled = under.catch(() => {}).finally(() => runs.delete(settled));
      runs.add(settled);
      return under;
    },
    async call(secret, wire, args, signal) {
      const calls = running.get(secret);
      if (calls) return await calls.call(wire, args, signal);
      throw new PackError("cancelled", `Cannot call "${wire}": no run is under way here`, {
        tool: wire,
      });
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

/** One run on its way through the stages. */
export interface Stage {
  readonly program: ReadyProgram;
  readonly request: RunRequest;
  readonly lease: Lease;
  readonly record: RunRecord;
  readonly signal: AbortSignal;
}

function authorText(request: RunRequest, file: string): string | undefined {
  if (request.kind === "command") return request.command;
  return file === request.file ? request.script : request.files[file];
}

function signatures(program: ReadyProgram, registry: Registry): SignatureSource["signatureAt"] {
  return (file, place) => {
    const call = program.toolCallAt(file, place);
    const entry = call && registry.entries().find(({ pack, packKey, tool, toolKey }) => {
      return (call.pack === pack || call.pack === packKey) &&
        (call.tool === tool || call.tool === toolKey);
    });
    return entry && signature(entry.pack, entry.spec);
  };
}

/** Packs that the program names and whose tools are not known yet. */
function pendingPacks(registry: Registry, servers: ReadonlySet<string> | null): string[] {
  const keys = new Map(registry.entries().map((entry) => [entry.pack, entry.packKey]));
  return registry.packs()
    .filter((pack) => pack.status().state === "connecting" && pack.tools().length === 0)
    .map(({ name }) => name)
    .filter((name) => servers === null || servers.has(name) || servers.has(keys.get(name) ?? name));
}

async function takeLease(sandbox: Sandbox, signal: AbortSignal): Promise<Lease> {
  try {
    return await sandbox.lease({ signal });
  } catch (error) {
    throw refusal(error);
  }
}

function refusal(error: unknown): unknown {
  if (!(error instanceof SandboxError)) return error;
  return new RunRefused(error.code, error.message, { cause: error });
}

async function abortable(work: Promise<void>, signal: AbortSignal): Promise<void> {
  const gone = Promise.withResolvers<void>();
  const onAbort = () =>
    gone.reject(new RunRefused("cancelled", "The run was cancelled before it began"));
  signal.addEventListener("abort", onAbort, { once: true });
  if (signal.aborted) onAbort();
  try {
    await Promise.race([work, gone.promise]);
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}
