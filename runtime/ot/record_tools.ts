/** The tools of `ot` that look back, and that leave a message: `stats` and `notify`. */

import { basename } from "node:path";
import type { JsonValue } from "#base";
import { type Args, type CallOptions, callWithin, type LocalTool } from "#packs";
import {
  DISABLED,
  invalidPeriod,
  periodOf,
  StatsError,
  summaryOf,
  writeReport,
} from "../stats/mod.ts";
import type { OtDeps } from "./deps.ts";
import { notify } from "./notify.ts";

/** `ot.stats` and `ot.notify`. */
export function recordTools(deps: OtDeps): LocalTool[] {
  return [statsTool(deps), notifyTool(deps)];
}

function statsTool(deps: OtDeps): LocalTool {
  return {
    spec: {
      name: "stats",
      description: "What was run and called, how often, how long, with which success, and how " +
        "many tokens and how much time it saved; also as an HTML report",
      inputSchema: {
        type: "object",
        properties: {
          // An unknown period is answered in words (OT-21): no enum that would refuse it first.
          period: { type: "string", default: "all", description: "day, week, month or all" },
          tool: { type: "string", description: "Only this tool: brave.search" },
          output: {
            type: "string",
            maxLength: 4_096,
            description: "Also write an HTML report to this file of the project: stats.html",
          },
        },
        additionalProperties: false,
      },
    },
    call: async (args, options) => ({
      value: await readStatistics(deps, args, options),
    }),
  };
}

function notifyTool(deps: OtDeps): LocalTool {
  return {
    spec: {
      name: "notify",
      description: "Leaves a message in the file that the configuration names for its topic",
      inputSchema: {
        type: "object",
        properties: {
          topic: { type: "string", description: "A topic: notes" },
          message: { type: "string", description: "What to say" },
        },
        required: ["topic", "message"],
        additionalProperties: false,
      },
      outputSchema: { type: "string" },
    },
    call: async (args, { signal }) => ({
      value: await notify({ ...deps.notify, closed: deps.closed, signal }, args),
    }),
  };
}

/** Returns the figures, or the text of the problem. A report is written by `file.write`: what decides
 * about its calls decides about this one. */
async function readStatistics(
  { statistics, aliases, cwd, closed, registry, places }: OtDeps,
  { period: name = "all", tool, output }: Args,
  options: CallOptions,
): Promise<JsonValue> {
  if (!statistics.enabled()) return DISABLED;
  const period = periodOf(String(name));
  if (!period) return invalidPeriod(String(name));
  const toolName = typeof tool === "string" ? tool : undefined;
  const target = toolName !== undefined && Object.hasOwn(aliases, toolName)
    ? aliases[toolName]
    : toolName;
  try {
    const { signal, origin } = options;
    const release = await places.statistics.acquire(signal, origin?.within ?? origin?.run);
    const data = await statistics.read({ period, tool: target }).finally(release);
    const summary = summaryOf(data);
    if (typeof output !== "string") return summary;
    const report = await writeReport(data, output, {
      folder: cwd,
      project: basename(cwd),
      refuse: async (path) => (await closed.change(path))?.why,
      write: (path, text) => {
        const call = { pack: "file", tool: "write", arguments: { path, text, overwrite: true } };
        return callWithin(registry(), call, options);
      },
    });
    return report.kind === "written" ? { ...summary, html_report: report.path } : report.message;
  } catch (error) {
    if (error instanceof StatsError) return `Error: ${error.message}`;
    throw error;
  }
}
