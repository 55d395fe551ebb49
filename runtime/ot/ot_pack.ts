/** The `ot` pack: help, search, state and results for the agent. */

import { abortable, type Attributes, type JsonObject, type JsonValue, untraced } from "#base";
import { type Args, createLocalPack, type InTurn, type LocalTool, type Pack } from "#packs";
import { GATHERS } from "../command/types.ts";
import type { OtDeps } from "./deps.ts";
import { INFO_LEVELS } from "./lookup/info.ts";
import { help } from "./lookup/help.ts";
import { listPacks, listTools } from "./lookup/listings.ts";
import { recordTools } from "./record_tools.ts";
import { reloadConfig } from "./reload.ts";
import { readResult } from "./result/result.ts";
import { configSummary, health } from "./state.ts";
import { listAliases, listSnippets } from "./lookup/vocabulary.ts";

/** The pack's name. */
export const OT = "ot";
/** A server that takes longer to connect is listed without its tools. */
const CONNECT_MS = 5_000;
/** Queries of one `ot.help`. */
const MOST_QUERIES = 20;

/** Tools that change something; the others read. */
const WRITERS = new Set(["notify", "reload"]);

const INFO = {
  type: "string",
  enum: [...INFO_LEVELS],
  default: "min",
  description: "How much: names, a line each, everything",
};

function pattern(description: string): JsonObject {
  return { type: "string", description };
}

/** Makes the pack.
 *
 * Every value is plain data; the reply shows it as YAML where it is a command's whole result.
 */
export function createOtPack(deps: OtDeps): Pack {
  return createLocalPack(
    OT,
    tracedTools(OT, [...listings(deps), resultTool(deps), ...plain(deps), ...recordTools(deps)])
      .map(withEffect),
  );
}

function withEffect(tool: LocalTool): LocalTool {
  const effect = WRITERS.has(tool.spec.name) ? "write" : "read";
  return { ...tool, spec: { ...tool.spec, effect } };
}

function listings(deps: OtDeps): LocalTool[] {
  return [
    whenConnected(deps, {
      name: "help",
      description: "Says how to call what is wanted: looks up a tool, pack, snippet or alias, or " +
        "searches them all. Several queries are answered in turn",
      properties: {
        query: {
          description: "A name, or words for what is wanted; a list of several",
          anyOf: [
            { type: "string" },
            { type: "array", items: { type: "string" }, maxItems: MOST_QUERIES },
          ],
          [GATHERS]: true,
        },
        info: {
          ...INFO,
          description: "list: names; min: what is needed for a call; full: up to ten tools",
        },
      },
      answer: (args, inTurn) => help({ ...deps, inTurn }, args),
    }),
    whenConnected(deps, {
      name: "tools",
      description: "Lists tools, with signatures where info is full",
      properties: {
        pattern: pattern("Part of a tool's name"),
        info: INFO,
        pack: { type: "string", description: "A pack's name: only its tools" },
      },
      answer: (args, inTurn) => listTools({ ...deps, inTurn }, args),
    }),
    whenConnected(deps, {
      name: "packs",
      description: "Lists packs, with their tools where info is full",
      properties: { pattern: pattern("Part of a pack's name"), info: INFO },
      answer: (args, inTurn) => listPacks({ ...deps, inTurn }, args),
    }),
  ];
}

const PAGE = {
  type: "object",
  properties: {
    lines: { type: "array", items: { type: "string" } },
    total_lines: { type: "integer" },
    returned: { type: "integer" },
    offset: { type: "integer" },
    has_more: { type: "boolean" },
    cut: { type: "boolean", description: "Whether the line was too long for a page" },
  },
  required: ["lines", "total_lines", "returned", "offset", "has_more"],
};

function resultTool(deps: OtDeps): LocalTool {
  const places = deps.places.results;
  return {
    spec: {
      name: "result",
      description: "Reads on in a large result that was stored, a page of lines at a time",
      inputSchema: schemaOf({
        handle: { type: "string", description: "As the reply gave it" },
        offset: { type: "integer", default: 1, description: "The first line, counted from 1" },
        limit: { type: "integer", default: 100, description: "How many lines at most" },
        search: { type: "string", description: "A regular expression: only lines that match" },
        fuzzy: {
          type: "boolean",
          default: false,
          description: "Lines like the search, best first",
        },
        context: {
          type: "integer",
          minimum: 0,
          default: 0,
          description: "Lines around each that matches",
        },
        tail: { type: "integer", description: "The last lines instead: how many" },
        path: {
          type: "string",
          description: "A JSON path, $.items[*].name: lines of what it selects",
        },
      }, ["handle"]),
      outputSchema: PAGE,
    },
    call: (args, { signal, origin }) =>
      readResult(deps, args, { signal, run: origin?.within ?? origin?.run, places }),
  };
}

function plain(deps: OtDeps): LocalTool[] {
  const filter = { pattern: pattern("Part of a name, or of what stands for it"), info: INFO };
  return [
    answering("aliases", {
      description: "Lists the short names of tools",
      properties: filter,
      answer: (args) => listAliases(deps, args),
    }),
    answering("snippets", {
      description: "Lists the snippets, with their templates where info is full",
      properties: filter,
      answer: (args) => listSnippets(deps, args),
    }),
    answering("config", {
      description: "The aliases, snippets and servers of the configuration",
      answer: () => configSummary(deps),
    }),
    answering("health", {
      description: "The state of every part, and of every server",
      answer: () => health(deps),
    }),
    answering("reload", {
      description: "Takes in the configuration as it is on disk now, and says what changed",
      answer: () => reloadConfig(deps.reload),
    }),
    answering("version", {
      description: "The version of Toolscript",
      outputSchema: { type: "string" },
      answer: () => deps.version,
    }),
  ];
}

interface Answering {
  readonly description: string;
  readonly properties?: JsonObject;
  readonly outputSchema?: JsonObject;
  readonly answer: (args: Args) => JsonValue | Promise<JsonValue>;
}

function answering(
  name: string,
  { description, properties = {}, outputSchema, answer }: Answering,
): LocalTool {
  return {
    spec: { name, description, inputSchema: schemaOf(properties), outputSchema },
    call: async (args) => ({ value: await answer(args) }),
  };
}

interface Question {
  readonly name: string;
  readonly description: string;
  readonly properties: JsonObject;
  readonly answer: (args: Args, inTurn: InTurn) => JsonValue | Promise<JsonValue>;
}

/** Builds a tool that answers once the servers have connected, or after a time limit. */
function whenConnected(
  { registry }: OtDeps,
  { name, description, properties, answer }: Question,
): LocalTool {
  return {
    spec: { name, description, inputSchema: schemaOf(properties) },
    async call(args, { signal = new AbortController().signal, origin = {} }) {
      const { within, run, client } = origin;
      const inTurn: InTurn = (work) => {
        return registry().pace(work, { client: within ?? run ?? client, signal });
      };
      const names = typeof args.pack === "string" ? [args.pack] : null;
      const limit = AbortSignal.any([signal, AbortSignal.timeout(CONNECT_MS)]);
      // What has not connected by then is listed without its tools.
      await abortable(registry().settle(names), limit).catch(() => {});
      return { value: await answer(args, inTurn) };
    },
  };
}

function schemaOf(properties: JsonObject, required: readonly string[] = []): JsonObject {
  return {
    type: "object",
    properties,
    ...(required.length > 0 ? { required: [...required] } : {}),
    additionalProperties: false,
  };
}

/** Arguments that the span of a call records, by function; other functions record none. */
const FACTS: Readonly<Record<string, readonly string[]>> = {
  result: ["handle", "offset", "limit", "search"],
};
const DEFAULTS: Readonly<Record<string, Attributes>> = { result: { offset: 1, limit: 100 } };

/** The same functions, each call of which is a span named after it. */
export function tracedTools(pack: string, tools: readonly LocalTool[]): readonly LocalTool[] {
  return tools.map(({ spec, call }) => ({
    spec,
    call: (args, options) =>
      (options.span ?? untraced).span(
        `${pack}.${spec.name}`,
        factsOf(spec.name, args),
        (span) => call(args, { ...options, span }),
      ),
  }));
}

function factsOf(name: string, args: Args): Attributes {
  const facts = (FACTS[name] ?? []).flatMap((key) => {
    const value = args[key];
    return typeof value === "string" || typeof value === "number" ? [[key, value] as const] : [];
  });
  return { ...DEFAULTS[name], ...Object.fromEntries(facts) };
}
