/** `ot.stats`: counts, outcomes and savings of runs and calls (OT-15 to OT-21). */

import { basename } from "node:path";
import type { JsonValue } from "#base";
import type { Args } from "#packs";
import {
  DISABLED,
  invalidPeriod,
  periodOf,
  StatsError,
  summaryOf,
  writeReport,
} from "../stats/mod.ts";
import type { OtDeps } from "./deps.ts";

/** Returns the figures, or the text of the problem. */
export async function readStatistics(
  { statistics, aliases, cwd, closed }: Pick<OtDeps, "statistics" | "aliases" | "cwd" | "closed">,
  { period: name = "all", tool, output }: Args,
): Promise<JsonValue> {
  if (!statistics.enabled()) return DISABLED;
  const period = periodOf(String(name));
  if (!period) return invalidPeriod(String(name));
  const toolName = typeof tool === "string" ? tool : undefined;
  const target = toolName !== undefined && Object.hasOwn(aliases, toolName)
    ? aliases[toolName]
    : toolName;
  try {
    const data = await statistics.read({ period, tool: target });
    const summary = summaryOf(data);
    if (typeof output !== "string") return summary;
    const report = await writeReport(data, output, {
      folder: cwd,
      project: basename(cwd),
      refuse: async (path) => (await closed.change(path))?.why,
    });
    return report.kind === "written" ? { ...summary, html_report: report.path } : report.message;
  } catch (error) {
    if (error instanceof StatsError) return `Error: ${error.message}`;
    throw error;
  }
}
