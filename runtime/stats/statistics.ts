/** The statistics of one gateway: recorded as things happen, read on request. */

import type { Log } from "#base";
import type { CallWitness } from "#packs";
import type { AuditEvent } from "./audit/audit.ts";
import type { EndedRun } from "../run/run.ts";
import { createStatsReader } from "./read/stats_reader.ts";
import { createRecorder, type RecorderDeps } from "./record/recorder.ts";
import { createStatsStore } from "./store/store.ts";
import type { ToolsetSource } from "./toolsets.ts";
import type { StatsData, StatsQuery } from "./types.ts";

export interface StatisticsOptions extends ToolsetSource, Pick<RecorderDeps, "redact" | "onAudit"> {
  /** As the configuration says at the moment; `keepMs` is how long a row is kept. */
  readonly settings: () => { readonly enabled: boolean; readonly keepMs: number };
  /** `~/.onetool/stats/<hash of the project's real path>`. */
  readonly folder: string;
  readonly log: Log;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Milliseconds that only grow. */
  readonly clock: () => number;
}

export interface Statistics extends AsyncDisposable {
  enabled(): boolean;
  readonly witness: CallWitness;
  readonly onRun: (run: EndedRun) => void;
  /** Records a question, an answer or a loan. */
  audit(event: AuditEvent): void;
  /** Reads the rows, including those of runs that have just ended. Throws `StatsError`. */
  read(query: StatsQuery): Promise<StatsData>;
}

/** Builds the statistics; switched off they keep nothing and touch no file (OT-19). */
export function createStatistics(options: StatisticsOptions): Statistics {
  const { settings } = options;
  const reader = createStatsReader({ ...options, keepMs: () => settings().keepMs });
  const recorder = createRecorder({ ...options, store: createStatsStore(options), reader });
  return {
    enabled: () => settings().enabled,
    witness: (call) => settings().enabled ? recorder.witness(call) : unheard,
    onRun(run) {
      if (settings().enabled) recorder.ran(run);
    },
    audit(event) {
      if (settings().enabled) recorder.audit(event);
    },
    async read(query) {
      await recorder.settle();
      return await reader.read(query);
    },
    [Symbol.asyncDispose]: () => recorder[Symbol.asyncDispose](),
  };
}

function unheard(): void {}
