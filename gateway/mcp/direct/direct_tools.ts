/** Tools that `direct` offers beside `run`: listed as the server describes them, and called through
 * the registry, so that the same policy and checks apply. */

import { createTurns, type JsonObject, within } from "#base";
import {
  createToolFilter,
  PackError,
  type Peer,
  type Registry,
  serverRefusal,
  showRefusal,
  type ToolEntry,
} from "#packs";
import { createMcpPerson } from "../client/confirm.ts";
import type { Inbox } from "#runtime";
import { LOOK_TOOL, RUN_TOOL } from "../run/definition.ts";
import { packResult } from "./pack_result.ts";
import { forwarded, sendAnswered } from "../client/forward.ts";
import type { SuspendedWork, WorkContext } from "../client/suspended_work.ts";
import { createMcpPeer } from "../client/peer.ts";
import { errorResult } from "../run/run_tool.ts";
import { McpError, type McpExchange, REFUSED } from "../types.ts";
import { soundHints } from "./entry_fields.ts";
import { isCompilable } from "./output_schema.ts";
import type { ShortNames } from "./short_names.ts";
import { soundSchema } from "./tool_schemas.ts";

/** Longest wait for servers that start, ms. */
const PATIENCE_MS = 10_000;
const OWN_TOOLS: readonly string[] = [RUN_TOOL, LOOK_TOOL];

export interface DirectTools {
  /** Lists their definitions, once each server has listed its tools or failed, or after ten seconds. */
  list(): Promise<readonly JsonObject[]>;
  /** Calls the tool of this name; undefined for an unknown name. */
  call(name: string, params: JsonObject, exchange: McpExchange): Promise<JsonObject | undefined>;
  /** Registers a listener for changes of the list; returns the function that removes it. */
  onChange(listener: () => void): () => void;
}

export interface DirectToolsDeps {
  readonly registry: Registry;
  /** Servers, or `server.tool`, as the configuration names them. */
  readonly direct: readonly string[];
  readonly names: ShortNames;
  readonly holder: SuspendedWork;
  readonly inbox: Inbox;
}

/** Lists the servers that `direct` names. */
export function directPacks(direct: readonly string[]): readonly string[] {
  return [...select(direct).keys()];
}

/** Builds a filter for the tools that `direct` names. */
export function directFilter(direct: readonly string[]): (entry: ToolEntry) => boolean {
  const selection = select(direct);
  return ({ pack, tool }) => selection.get(pack)?.(tool) ?? false;
}

/** Builds the list over the registry. */
export function createDirectTools(deps: DirectToolsDeps): DirectTools {
  const { registry, names, holder, inbox } = deps;
  const selection = select(deps.direct);
  const packs = [...selection.keys()];

  /** Waits for servers that start; the client is told of the tools of one that takes longer. */
  async function settled(): Promise<void> {
    await within(registry.settle(packs), PATIENCE_MS);
  }

  function offeredTools(): ReadonlyMap<string, ToolEntry> {
    const tools = new Map<string, ToolEntry>();
    for (const entry of registry.entries()) {
      if (!isOffered(entry)) continue;
      tools.set(isShort(entry) ? entry.tool : entry.wire, entry);
    }
    return tools;
  }

  return {
    async list() {
      await settled();
      const turn = createTurns();
      const listed: JsonObject[] = [];
      for (const [name, entry] of offeredTools()) {
        await turn();
        listed.push(definition(name, entry));
      }
      return listed;
    },
    async call(name, params, exchange) {
      let entry = offeredTools().get(name);
      if (!entry) {
        await settled();
        entry = offeredTools().get(name);
      }
      if (!entry) return undefined;
      if (exchange.requestState !== undefined) return await holder.resume(exchange);
      return await holder.begin((context) => {
        const peer = createMcpPeer(context, exchange);
        const send = (answers: JsonObject) =>
          callOnce({ entry, params, exchange, answers, peer }, context);
        return sendAnswered(send, context);
      }, exchange);
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

  /** Returns the result of a server unchanged. It may be a question of the newer protocol; a server
   * of the older one asks during the call. */
  async function callOnce(
    { entry, params, exchange, answers, peer }: DirectCall,
    context: WorkContext,
  ): Promise<JsonObject> {
    const { signal, exchange: current } = context;
    const confirm = createMcpPerson(inbox, context, exchange);
    try {
      const { result, ...made } = await registry.call(entry.wire, params.arguments ?? {}, {
        signal,
        origin: { client: exchange.client, via: "mcp" },
        trace: exchange.trace,
        ask: confirm && (async (question) => {
          return await confirm(question, signal) === "no" ? "declined" : "allowed";
        }),
        askWithin: confirm,
        onProgress: exchange.onProgress && ((progress) => current()?.onProgress?.(progress)),
        forward: { ...forwarded(exchange), ...answers },
        peer,
      });
      return result ?? await packResult(made);
    } catch (error) {
      throwRefusal(error, entry.pack);
      if (error instanceof PackError) return errorResult(error.message);
      throw error;
    }
  }

  function isShort({ pack, tool }: ToolEntry): boolean {
    return !OWN_TOOLS.includes(tool) && names.take({ kind: "tools", server: pack, name: tool });
  }

  /** True for a selected tool that is not blocked. */
  function isOffered(entry: ToolEntry): boolean {
    if (!selection.get(entry.pack)?.(entry.tool)) return false;
    return !registry.policy().isBlocked(entry);
  }
}

interface DirectCall {
  readonly entry: ToolEntry;
  readonly params: JsonObject;
  readonly exchange: McpExchange;
  readonly answers: JsonObject;
  readonly peer: Peer;
}

/** Throws the JSON-RPC error with which a server refused; addresses that it wants to be opened are
 * read as its questions are. */
export function throwRefusal(error: unknown, server: string): void {
  const refusal = serverRefusal(error);
  if (!refusal) return;
  const { code, message, data } = readRefusal(refusal, server);
  throw new McpError(code, message, { cause: error, data });
}

function readRefusal(
  refusal: NonNullable<ReturnType<typeof serverRefusal>>,
  server: string,
): { readonly code: number; readonly message: string; readonly data?: unknown } {
  try {
    return showRefusal(refusal, server);
  } catch (error) {
    if (error instanceof PackError) return { code: REFUSED, message: error.message };
    throw error;
  }
}

/** Builds a filter of tools for each pack. */
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

/** Definition as the server made it; its hints follow the configuration where that declares the
 * effect: clients ask by them. */
function definition(name: string, entry: ToolEntry): JsonObject {
  const { spec, effect, effectFrom } = entry;
  const { title, description, inputSchema, outputSchema } = spec;
  const declared = { readOnlyHint: effect === "read", destructiveHint: effect === "destroy" };
  const annotations = effectFrom === "config"
    ? { ...spec.annotations, ...declared }
    : spec.annotations;
  return {
    name,
    ...(title === undefined ? {} : { title }),
    description,
    inputSchema: soundSchema(inputSchema),
    ...(isCompilable(outputSchema) ? { outputSchema: soundSchema(outputSchema) } : {}),
    ...(annotations ? { annotations: soundHints(annotations) } : {}),
  };
}
