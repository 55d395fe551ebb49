/** The tools of `ot` that look back, and that leave a message: `stats` and `notify`. */

import { type LocalTool, lookError } from "#packs";
import type { OtDeps } from "./deps.ts";
import { notify } from "./notify.ts";
import { readStatistics } from "./stats.ts";

/** `ot.stats` and `ot.notify`. */
export function recordTools(deps: OtDeps): LocalTool[] {
  return [
    {
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
              description: "Also write an HTML report to this file of the project: stats.html",
            },
          },
          additionalProperties: false,
        },
      },
      async call(args, { look }) {
        if (look && args.output !== undefined) {
          look({ tool: "ot.stats", arguments: args });
          throw lookError("ot.stats", "write");
        }
        return { value: await readStatistics(deps, args) };
      },
    },
    {
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
      call: async (args) => ({
        value: await notify({ ...deps.notify, closed: deps.closed }, args),
      }),
    },
  ];
}
