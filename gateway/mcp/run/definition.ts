/** Texts that an agent reads before its first command: the instructions and the tool `run`. */

import type { JsonObject } from "#base";
import { FORMATS } from "#runtime/formats";

/** The tool's name. */
export const RUN_TOOL = "run";

const MAX_LISTED_PACKS = 24;
/** Maximum tokens of all names together. */
const MAX_LIST_TOKENS = 110;

export interface InstructionOptions {
  /** The names of the packs, in the order of the config. */
  readonly packs: readonly string[];
  /** Text that the configuration adds. */
  readonly extra?: string;
}

/** Builds the instructions; their size does not grow with the number of tools. */
export function buildInstructions({ packs, extra }: InstructionOptions): string {
  const text = `Call many tools with one short program: send TypeScript to \`${RUN_TOOL}\`, ` +
    "only its result comes back. " +
    `Packs: ${listPacks(packs)}. ` +
    'Find what you need first: `ot.help(query="...")` searches tools, or describes the one ' +
    'it names; `ot.tools(pack="...", info="full")` gives signatures. Prefer one composed program ' +
    "to several calls: loop, filter and join in code, and return only what you need.";
  return extra ? `${text}\n\n${extra}` : text;
}

/** Lists names within the limits, then the number of the others. */
export function listPacks(packs: readonly string[]): string {
  if (packs.length === 0) return "none are configured yet";
  const names: string[] = [];
  let tokens = 0;
  for (const name of packs) {
    tokens += tokensOf(name);
    if (names.length === MAX_LISTED_PACKS || tokens > MAX_LIST_TOKENS) break;
    names.push(name);
  }
  const more = packs.length - names.length;
  if (more === 0) return names.join(", ");
  return names.length === 0 ? `${more} packs` : `${names.join(", ")} and ${more} more`;
}

/** Estimates the tokens of a name and its comma, never too low, without loading a tokenizer. */
function tokensOf(name: string): number {
  const parts = name.match(/[A-Z]?[a-z]+|[A-Z]|[0-9]{1,3}|[^A-Za-z0-9]/g) ?? [];
  return 1 + parts.reduce((sum, part) => sum + Math.ceil(part.length / 2), 0);
}

/** Builds the definition of `run` for `tools/list`. */
export function runTool(): JsonObject {
  return {
    name: RUN_TOOL,
    title: "Run code with tools",
    description: DESCRIPTION,
    inputSchema: {
      type: "object",
      properties: {
        command: { type: "string", description: "The program" },
        format: {
          type: "string",
          enum: FORMATS,
          description: "How the value is written; _h is indented",
        },
        sanitize: { type: "boolean", description: "Fence off text from outside" },
        timeout: { type: "number", exclusiveMinimum: 0, description: "Seconds" },
      },
      required: ["command"],
    },
    // Claude Code loads the tool before it is searched for, and does not cut its results.
    _meta: { "anthropic/alwaysLoad": true, "anthropic/maxResultSizeChars": 500_000 },
    // A program may call any tool, so every hint states the worst case.
    annotations: {
      readOnlyHint: false,
      destructiveHint: true,
      idempotentHint: false,
      openWorldHint: true,
    },
  };
}

const DESCRIPTION = `Runs TypeScript in a sandbox (no files, no network, no imports) where every \
tool is \`pack.tool(name=value)\` or \`pack.tool({name: value})\`. Calls are awaited for you; the \
last expression is the result. Types are checked before anything runs.

One call:
github.search_issues(query="is:open crash", limit=5)

Composed:
const found = github.search_issues(query="is:open crash")
const owners = found.items.map(i => i.user.login)
const pages = await Promise.all([1, 2].map(n => wiki.read({page: n})));
({ owners: [...new Set(owners)], sizes: pages.map(p => p.length) })

console.log is sent as a log, not in the result. Errors name the line and the way out. A large \
result is stored; the reply then says how to read on.`;
