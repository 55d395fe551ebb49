/** Tools that the config also offers by themselves: listed as the server describes them, and called
 * through the registry, so that the same policy and checks hold. */

import { createToolFilter, PackError, type Registry, serverRefusal, type ToolEntry } from "#packs";
import { isObject, type JsonObject } from "#sandbox";
import { createMcpConfirmer } from "./confirm.ts";
import { RUN_TOOL } from "./definition.ts";
import { forwarded } from "./forward.ts";
import type { Held, Holder } from "./held.ts";
import { createMcpPeer } from "./peer.ts";
import { failure } from "./run_tool.ts";
import { McpError, type McpExchange } from "./types.ts";

export interface DirectTools {
  /** Their definitions, once the servers' lists are known or cannot be had. */
  list(): Promise<readonly JsonObject[]>;
  /** Calls one by the name it is offered under; undefined when there is none of that name. */
  call(name: string, params: JsonObject, exchange: McpExchange): Promise<JsonObject | undefined>;
  /** Called when the list may be another. Returns the function that unsubscribes. */
  onChange(listener: () => void): () => void;
}

export interface DirectToolsDeps {
  readonly registry: Registry;
  /** Servers, or `server.tool`, as the config names them. */
  readonly direct: readonly string[];
  readonly holder: Holder;
}

/** The servers that a config's `direct` names. */
export function directPacks(direct: readonly string[]): readonly string[] {
  return [...select(direct).keys()];
}

/** A test for the tools that a config's `direct` names. */
export function directFilter(direct: readonly string[]): (entry: ToolEntry) => boolean {
  const selection = select(direct);
  return ({ pack, tool }) => selection.get(pack)?.(tool) ?? false;
}

/** Builds the list over the registry. */
export function createDirectTools(deps: DirectToolsDeps): DirectTools {
  const { registry, holder } = deps;
  const selection = select(deps.direct);
  const packs = [...selection.keys()];

  async function named(): Promise<ReadonlyMap<string, ToolEntry>> {
    await registry.settle(packs);
    const tools = new Map<string, ToolEntry>();
    for (const entry of registry.entries()) {
      if (!isOffered(entry)) continue;
      const isTaken = entry.tool === RUN_TOOL || tools.has(entry.tool);
      tools.set(isTaken ? entry.wire : entry.tool, entry);
    }
    return tools;
  }

  return {
    async list() {
      return [...await named()].map(([name, entry]) => definition(name, entry));
    },
    async call(name, params, exchange) {
      const entry = (await named()).get(name);
      if (!entry) return undefined;
      if (holder.holds(exchange)) return await holder.resume(exchange);
      return await holder.begin((held) => callOnce({ entry, params, exchange }, held), exchange);
    },
    onChange(listener) {
      let before = registry.entries().filter(isOffered);
      return registry.onChange(() => {
        const now = registry.entries().filter(isOffered);
        const changed = before.length !== now.length ||
          now.some((entry, index) => before[index]?.spec !== entry.spec);
        before = now;
        if (changed) listener();
      });
    },
  };

  /** Answers as the server does, also when that is a question of the newer protocol: the client then
   * sends the whole call again. A server of the older one asks while the call is under way. */
  async function callOnce(
    { entry, params, exchange }: DirectCall,
    held: Held,
  ): Promise<JsonObject> {
    const { signal, ask, exchange: current } = held;
    const confirm = createMcpConfirmer(ask, exchange.capabilities);
    try {
      const { result } = await registry.call(entry.wire, params.arguments ?? {}, {
        signal,
        origin: { client: exchange.client },
        trace: exchange.trace,
        ask: confirm && (async (question) => {
          return await confirm(question, signal) === "no" ? "declined" : "allowed";
        }),
        askWithin: confirm,
        onProgress: exchange.onProgress && ((progress) => current()?.onProgress?.(progress)),
        forward: forwarded(exchange),
        peer: createMcpPeer(held, exchange),
      });
      return result ?? {};
    } catch (error) {
      throwRefusal(error);
      if (error instanceof PackError) return failure(error.message);
      throw error;
    }
  }

  /** What is blocked is not there. */
  function isOffered(entry: ToolEntry): boolean {
    if (!selection.get(entry.pack)?.(entry.tool)) return false;
    return registry.policy().decideTool(entry).level !== "blocked";
  }
}

interface DirectCall {
  readonly entry: ToolEntry;
  readonly params: JsonObject;
  readonly exchange: McpExchange;
}

/** Throws the error with which a server refused, as the server said it. */
export function throwRefusal(error: unknown): void {
  const refusal = serverRefusal(error);
  if (!refusal) return;
  throw new McpError(refusal.code, refusal.message, { cause: error, data: refusal.data });
}

/** For each pack, which of its tools. */
function select(direct: readonly string[]): ReadonlyMap<string, (tool: string) => boolean> {
  const patterns = new Map<string, string[]>();
  for (const name of direct) {
    const dot = name.indexOf(".");
    const pack = dot < 0 ? name : name.slice(0, dot);
    patterns.set(pack, [...patterns.get(pack) ?? [], dot < 0 ? "*" : name.slice(dot + 1)]);
  }
  return new Map(
    [...patterns].map(([pack, include]) => [pack, createToolFilter({ include, exclude: [] })]),
  );
}

function definition(name: string, { spec }: ToolEntry): JsonObject {
  const { title, description, inputSchema, outputSchema, annotations } = spec;
  return {
    name,
    ...(title === undefined ? {} : { title }),
    description,
    // A client refuses the whole list for a schema that does not say it.
    inputSchema: inputSchema.type === "object" ? inputSchema : { ...inputSchema, type: "object" },
    ...(isObject(outputSchema) ? { outputSchema } : {}),
    ...(annotations ? { annotations } : {}),
  };
}
