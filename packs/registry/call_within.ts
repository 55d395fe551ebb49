/** Calls between packs: through the registry, so that lists, records and limits hold (issue 6). */

import { PackError } from "../errors.ts";
import { goesBy, packGoesBy } from "./names.ts";
import { listed, nearest } from "../nearest.ts";
import type { Registry } from "./registry.ts";
import type { CallOptions, CallResult, ToolEntry } from "../types.ts";

/** A call that a pack makes while one of its own tools is called. */
export interface InnerCall {
  readonly pack: string;
  readonly tool: string;
  readonly arguments: unknown;
}

const MAX_DEPTH = 16;

/** Calls a tool by the names that code has for it, in the name of the call that `options` came with.
 * Throws `PackError`. */
export async function callWithin(
  registry: Registry,
  { pack, tool, arguments: args }: InnerCall,
  options: CallOptions,
): Promise<CallResult> {
  const name = `${pack}.${tool}`;
  const depth = (options.depth ?? 0) + 1;
  if (depth > MAX_DEPTH) {
    throw new PackError(
      "blocked",
      `Cannot call "${name}": ${MAX_DEPTH} tools already wait for one another`,
      { tool: name },
    );
  }
  const { wire } = find(registry, { pack, tool }) ?? await late(registry, { pack, tool });
  const inner = { ...options, depth };
  // What a client sent along with the outer call is not for another tool.
  delete inner.forward;
  if (options.callWithin) return await options.callWithin(wire, args, inner);
  return await registry.call(wire, args, inner);
}

type Names = Omit<InnerCall, "arguments">;

function find(registry: Registry, { pack, tool }: Names): ToolEntry | undefined {
  const own = registry.entries().filter((entry) => packGoesBy(entry, pack));
  return own.find((entry) => entry.tool === tool) ?? own.find((entry) => goesBy(entry, tool));
}

/** A pack whose tools are not known yet is waited for. */
async function late(registry: Registry, names: Names): Promise<ToolEntry> {
  await registry.settle([names.pack]);
  const found = find(registry, names);
  if (found) return found;
  const name = `${names.pack}.${names.tool}`;
  const tools = registry.entries().filter((entry) => packGoesBy(entry, names.pack)).map((
    { tool },
  ) => tool);
  if (tools.length === 0) {
    const near = nearest(names.pack, registry.packs().map((pack) => pack.name));
    const state = `no such pack "${names.pack}": available: ${listed(near)}`;
    throw new PackError("unknown_pack", `Cannot call "${name}": ${state}`, { tool: name });
  }
  const state = `no such tool in "${names.pack}": available: ${listed(nearest(names.tool, tools))}`;
  throw new PackError("unknown_tool", `Cannot call "${name}": ${state}`, { tool: name });
}
