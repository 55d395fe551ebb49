/** Reply of `ot.stats` and `toolscript stats`: short enough for an agent to read. */

import type { JsonObject } from "#base";
import { type Period, PERIODS, type StatsData } from "./types.ts";

const MAX_TOOLS = 100;

/** Method of the savings, in a sentence. */
export const METHOD =
  "context_saved: tokens of the definitions of all tools (once a session) and of all arguments and " +
  "results of calls inside runs, less those of the programs and replies that took their place. " +
  "time_saved_ms: a turn of the agent (the median time between its runs) for each further call of " +
  "a run, and what calls side by side won.";

/** The period of that name, or undefined. */
export function periodOf(name: string): Period | undefined {
  return PERIODS.find((period) => period === name);
}

/** Message for an unknown period (OT-21). */
export function invalidPeriod(name: string): string {
  return `Error: Invalid period '${name.slice(0, MAX_TOOLS)}'. Valid: ${PERIODS.join(", ")}. ` +
    "Example: ot.stats(period='day')";
}

/** Message where statistics are off (OT-19). */
export const DISABLED = "Error: Statistics are disabled. Enable them with stats.enabled: true in " +
  "onetool.yaml";

/** The value of `ot.stats` (OT-15). */
export function summaryOf(data: StatsData): JsonObject {
  const { period, since, tool, savings, runs, tools, errors, clients } = data;
  return {
    period,
    since,
    ...(tool === null ? {} : { tool }),
    total_calls: data.total_calls,
    success_rate: data.success_rate,
    context_saved: data.context_saved,
    time_saved_ms: data.time_saved_ms,
    runs: { ...runs },
    savings: { ...savings },
    tools: tools.map((item) => ({ ...item })),
    errors: errors.map((item) => ({ ...item })),
    clients: clients.map((item) => ({ ...item })),
    method: METHOD,
  };
}
