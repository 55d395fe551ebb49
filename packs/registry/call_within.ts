/** Calls between packs, through the registry: lists, records and limits apply. */

import { PackError } from "../errors.ts";
import { goesBy, packGoesBy } from "./names.ts";
import type { Registry } from "./registry.ts";
import { unknownPack, unknownTool } from "../unknown.ts";
import type { CallOptions, CallResult, ToolEntry } from "../types.ts";

/** A call that a pack makes during a call of one of its tools. */
export interface InnerCall {
  readonly pack: string;
  readonly tool: string;
  readonly arguments: unknown;
}

const MAX_DEPTH = 16;

/** Calls a tool by its names in code, as a part of the call that `options` belong to. Throws
 * `PackError`. */
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
  const { wire } = find(registry, { pack, tool }) ?? await findLate(registry, { pack, tool });
  const inner = { ...options, depth };
  // The client's extra fields belong to the outer call only.
  delete inner.forward;
  if (options.callWithin) return await options.callWithin(wire, args, inner);
  return await registry.call(wire, args, inner);
}

type Names = Omit<InnerCall, "arguments">;

function find(registry: Registry, { pack, tool }: Names): ToolEntry | undefined {
  const own = registry.entries().filter((entry) => packGoesBy(entry, pack));
  return own.find((entry) => entry.tool === tool) ?? own.find((entry) => goesBy(entry, tool));
}

/** Waits for a pack whose tools are not known yet. */
async function findLate(registry: Registry, names: Names): Promise<ToolEntry> {
  await registry.settle([names.pack]);
  const entry = find(registry, names);
  if (entry) return entry;
  const others = registry.entries().filter((each) => packGoesBy(each, names.pack));
  if (others.length > 0) {
    const external = registry.packs().find(({ name }) => name === others[0]?.pack)?.external;
    throw unknownTool({ name: names.pack, external }, names.tool, others.map(({ tool }) => tool));
  }
  throw unknownPack(`${names.pack}.${names.tool}`, names.pack, registry.packs());
}
