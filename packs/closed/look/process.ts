/** Looks in a process of their own: what a stranger put into a project may make one long, or large. */

import { PackError } from "../../errors.ts";
import { createJobWorkers } from "../../jobs/workers.ts";
import type { Looks, LooksDeps } from "./looks.ts";
import { fromPlain, type PlainRules } from "./plain_rules.ts";
import type { ReadRules } from "../read_rules.ts";
import { type ClosedSources, firstRules } from "../rules.ts";

const TIMEOUT_MS = 20_000;
const MEMORY_MB = 1_024;
/** A search does not wait for a look at programs. */
const PROCESSES = 2;
/** Characters of the rules as JSON. */
const MAX_RESULT = 2 ** 26;
/** Time after a look that failed for which no other of its kind begins. */
const PAUSE_MS = 30_000;
/** Idle time after which the process ends, and what it read is forgotten. */
const IDLE_MS = 300_000;

export interface LookProcessDeps extends Pick<LooksDeps, "environment" | "now"> {
  /** Time limit of a look, in milliseconds (20,000). */
  readonly timeoutMs?: number;
}

/** Makes looks. One that takes too long, or too much memory, closes every file that it might. */
export function createLookProcess(
  { environment, now, timeoutMs = TIMEOUT_MS }: LookProcessDeps,
): Looks {
  const module = new URL("./worker.ts", import.meta.url);
  const workers = createJobWorkers({
    module,
    timeoutMs,
    memoryMb: MEMORY_MB,
    maxResult: MAX_RESULT,
    idleMs: IDLE_MS,
    count: PROCESSES,
    readsFiles: true,
  });
  const ended = new AbortController();
  const failed = new Map<string, { readonly why: string; readonly at: number }>();

  async function look<T>(kind: string, sources: ClosedSources): Promise<T | string> {
    const last = failed.get(kind);
    if (last && Math.abs(now() - last.at) < PAUSE_MS) return last.why;
    const what = "look for closed files";
    try {
      const input = { environment, sources };
      return await workers.run<T>({ kind, input }, { what, signal: ended.signal, run: undefined });
    } catch (error) {
      if (!(error instanceof PackError)) throw error;
      const why = `Toolscript ${error.message.replace(/^C/, "c")}`;
      failed.set(kind, { why, at: now() });
      return why;
    }
  }

  return {
    async rules(sources) {
      const rules = await look<PlainRules>("rules", sources);
      return typeof rules === "string"
        ? firstRules(sources, `it may be closed: ${rules}`)
        : { ...firstRules(sources), ...fromPlain(rules) };
    },
    inodes: (sources) => look<ReadRules["inodes"]>("inodes", sources),
    async [Symbol.asyncDispose]() {
      ended.abort();
      await workers[Symbol.asyncDispose]();
    },
  };
}
