/** Packs that run in this process: functions with a schema each. */

import { PackError } from "./errors.ts";
import type { Args, CallOptions, CallResult, Pack, ToolSpec } from "./types.ts";

/** One tool of a pack in this process. */
export interface LocalTool {
  readonly spec: ToolSpec;
  /** Runs with arguments that the tool's schema allows. */
  call(args: Args, options: CallOptions): Promise<CallResult>;
}

/** Makes a pack from functions.
 *
 * @example
 * ```ts
 * import { createLocalPack } from "#packs";
 * const pack = createLocalPack("sums", [{
 *   spec: { name: "one", description: "Answers one", inputSchema: { type: "object" } },
 *   call: () => Promise.resolve({ value: 1 }),
 * }]);
 * console.assert((await pack.call("one", {}, {})).value === 1);
 * ```
 */
export function createLocalPack(name: string, tools: readonly LocalTool[]): Pack {
  const byName = new Map(tools.map((tool) => [tool.spec.name, tool]));
  const specs = tools.map(({ spec }) => spec);
  return {
    name,
    source: "local",
    tools: () => specs,
    status: () => ({ state: "connected", transport: "local", error: null }),
    async call(tool, args, options) {
      const localTool = byName.get(tool);
      if (localTool) return await localTool.call(args, options);
      throw new PackError("unknown_tool", `Cannot call "${name}.${tool}": no such tool`, {
        tool: `${name}.${tool}`,
      });
    },
    settle: () => Promise.resolve(),
    onChange: () => () => {},
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}
