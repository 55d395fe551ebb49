/** Records every call and run as it ends, and writes them when the process is idle (OT-15). */

import { setTimeout as delay } from "node:timers/promises";
import { idle, type JsonValue, type Log } from "#base";
import type { CallWitness } from "#packs";
import {
  type AuditEvent,
  type AuditRow,
  auditRow,
  refusedCall,
  refusedRun,
} from "../audit/audit.ts";
import { byteLength } from "../../reply/lines.ts";
import type { EndedRun } from "../../run/run.ts";
import { jsonText } from "./json_text.ts";
import { type Ending, toCall, toRun } from "./rows.ts";
import { createSampler, type Sampler } from "./sampler.ts";
import { createToolsets, type ToolsetSource } from "../toolsets.ts";
import {
  type CallRow,
  kindOf,
  type RunRow,
  type StatsReader,
  type StatsStore,
  type ToolsetRow,
} from "../types.ts";

/** Long enough for the calls of a loop to be written together. */
const DELAY_MS = 100;
/** Rows of one transaction: a millisecond or two, sizes included. */
const ROWS = 64;
/** Number of rows after which old ones are removed, and delay before that is done first. */
const TIDY_ROWS = 2_000;
const TIDY_MS = 60_000;
/** While another process holds the file; what is more than this is dropped. */
const MAX_PENDING = 20_000;
/** At the end, while another process holds the file. */
const LAST_TRIES = 20;

export interface RecorderDeps extends ToolsetSource {
  readonly store: StatsStore;
  readonly reader: StatsReader;
  readonly log: Log;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Milliseconds that only grow. */
  readonly clock: () => number;
  /** Takes secrets out of a text. */
  readonly redact: (text: string) => string;
  /** Receives every event of the audit. */
  readonly onAudit?: (row: AuditRow) => void;
}

export interface Recorder extends AsyncDisposable {
  readonly witness: CallWitness;
  ran(run: EndedRun): void;
  audit(event: AuditEvent): void;
  /** Resolves when everything that has ended is written. */
  flush(): Promise<void>;
  /** The same, with all tokens that wait to be counted. */
  settle(): Promise<void>;
}

type Pending =
  | { readonly kind: "call"; readonly ending: Ending }
  | { readonly kind: "run"; readonly run: EndedRun; readonly at: number }
  | { readonly kind: "audit"; readonly row: AuditRow };

/** Creates the recorder; disposal writes the remaining rows and closes the store. */
export function createRecorder(deps: RecorderDeps): Recorder {
  const { store, reader, now, clock, log } = deps;
  const sampler = createSampler({ reader, log, clock });
  const toolsets = createToolsets(deps);
  let pending: Pending[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  let flushing: Promise<void> | undefined;
  let tidying: ReturnType<typeof setTimeout> | undefined;
  let rowCount = 0;

  function take(item: Pending): void {
    if (pending.length < MAX_PENDING) pending.push(item);
    timer ??= setTimeout(() => void flush(), DELAY_MS);
  }

  function audit(event: AuditEvent | undefined): void {
    if (!event) return;
    const row = auditRow(event, { at: now(), redact: deps.redact });
    take({ kind: "audit", row });
    deps.onAudit?.(row);
  }

  function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    // What ends while a batch is written belongs to the next one.
    const next: Promise<void> = (flushing ?? Promise.resolve()).then(writeAll).catch((error) => {
      log("warning", "Statistics could not be written", { reason: String(error) });
    }).finally(() => {
      if (flushing === next) flushing = undefined;
    });
    flushing = next;
    return next;
  }

  async function writeAll(): Promise<void> {
    while (pending.length > 0) {
      const batch = pending.splice(0, ROWS);
      const rows = await rowsOf(batch, { sampler, toolsets });
      if (!store.write(rows)) {
        pending = [...batch, ...pending].slice(0, MAX_PENDING);
        timer ??= setTimeout(() => void flush(), DELAY_MS);
        return;
      }
      rowCount += batch.length;
      await idle(); // Everybody else has a turn.
    }
    if (rowCount >= TIDY_ROWS) tidy();
    else if (tidying === undefined) {
      tidying = setTimeout(tidy, TIDY_MS);
      Deno.unrefTimer(tidying);
    }
  }

  function tidy(): void {
    rowCount = 0;
    reader.tidy().catch((error) => {
      log("debug", "Statistics could not be tidied", { reason: String(error) });
    });
  }

  return {
    witness(call) {
      const at = now();
      const startedAt = clock();
      return (end) => {
        const ending = { call, end, at, ms: clock() - startedAt };
        if (!call.isPlanned) take({ kind: "call", ending });
        audit(refusedCall(call, end));
      };
    },
    ran(run) {
      if (run.request.kind === "command" && run.request.explain) return; // Nothing was run.
      // A plan is no run, but what it was refused is kept.
      if (run.request.plan !== true) take({ kind: "run", run, at: now() - run.reply.ms });
      audit(refusedRun(run));
    },
    audit,
    flush,
    async settle() {
      await flush();
      await sampler.count();
    },
    async [Symbol.asyncDispose]() {
      await flush();
      for (let tries = 0; pending.length > 0 && tries < LAST_TRIES; tries++) {
        await delay(DELAY_MS);
        await flush();
      }
      clearTimeout(timer);
      clearTimeout(tidying);
      sampler.end();
      store.close();
      await reader[Symbol.asyncDispose]();
    },
  };
}

interface Rows {
  readonly calls: CallRow[];
  readonly runs: RunRow[];
  readonly audit: AuditRow[];
  readonly toolsets: ToolsetRow[];
}

interface RowParts {
  readonly sampler: Sampler;
  readonly toolsets: ReturnType<typeof createToolsets>;
}

async function rowsOf(items: readonly Pending[], parts: RowParts): Promise<Rows> {
  const rows: Rows = { calls: [], runs: [], audit: [], toolsets: [] };
  for (const item of items) {
    if (item.kind === "call") rows.calls.push(await callRow(item.ending, parts.sampler));
    else if (item.kind === "audit") rows.audit.push(item.row);
    else rows.runs.push(await runRow(item, rows.toolsets, parts));
  }
  return rows;
}

async function callRow(ending: Ending, sampler: Sampler): Promise<CallRow> {
  const { call, end } = ending;
  const args = await jsonText((call.args ?? null) as JsonValue, 0);
  if ("error" in end) {
    const message = end.error instanceof Error ? end.error.message : String(end.error);
    return toCall(ending, { bytesIn: args.bytes, bytesOut: byteLength(message) });
  }
  const kind = end.entry ? kindOf(end.entry.pack, end.entry.tool) : undefined;
  const keep = kind === undefined ? 0 : sampler.sampleSize(kind);
  const { bytes, start } = await jsonText(end.result.value, keep);
  if (kind !== undefined) sampler.add({ kind, text: start });
  return toCall(ending, { bytesIn: args.bytes, bytesOut: bytes });
}

async function runRow(
  { run, at }: Extract<Pending, { kind: "run" }>,
  rows: ToolsetRow[],
  { sampler, toolsets }: RowParts,
): Promise<RunRow> {
  const toolset = await toolsets.current();
  if (toolset.isNew) {
    rows.push(toolset.row);
    for (const text of toolset.texts) sampler.add({ kind: toolset.row.id, text });
  }
  const { row, program, reply } = toRun(run, { at, toolset: toolset.row.id });
  sampler.add({ kind: "program", text: program.slice(0, sampler.sampleSize("program")) });
  sampler.add({ kind: "reply", text: reply.slice(0, sampler.sampleSize("reply")) });
  return row;
}
