/** Texts that an agent reads before its first command: the instructions, and the gateway's own tools. */

import type { JsonObject } from "#base";
import { FORMATS } from "#runtime/formats";

/** Names of the gateway's own tools. */
export const RUN_TOOL = "run";
export const LOOK_TOOL = "look";

const MAX_LISTED_PACKS = 24;
/** Maximum tokens of names and purposes together. */
const MAX_LIST_TOKENS = 96;

/** A pack in the instructions. */
export interface ListedPack {
  readonly name: string;
  /** Two or three words: `mail, calendar`; empty where nothing says it. */
  readonly purpose: string;
}

export interface InstructionOptions {
  /** In the order of the config. */
  readonly packs: readonly ListedPack[];
  /** Text that the configuration adds. */
  readonly extra?: string;
  /** True where a project may have more packs. */
  readonly isOpen?: boolean;
}

/** Builds the instructions; their size does not grow with the number of tools. */
export function buildInstructions({ packs, extra, isOpen }: InstructionOptions): string {
  const text = `Call many tools with one short program: send TypeScript to \`${RUN_TOOL}\`, ` +
    "only its result comes back. Ask first how to call what you need: " +
    '`ot.help("create issue", "send mail")` gives signatures to use at once; a tool\'s or ' +
    "pack's name gives its help. Then send one composed program: loop, filter and join in code, " +
    `return only what you need.\n\nPacks: ${listPacks(packs)}${
      isOpen ? "; `ot.packs()` lists those of the project" : ""
    }.`;
  return extra ? `${text}\n\n${extra}` : text;
}

/** Lists names within the limits, then the number of the others; with purposes where there is room:
 * one word for each pack before the second of any. */
export function listPacks(packs: readonly ListedPack[]): string {
  if (packs.length === 0) return "none are configured yet";
  let left = MAX_LIST_TOKENS;
  const takes = (text: string) => {
    const isFitting = left >= tokensOf(text);
    if (isFitting) left -= tokensOf(text);
    return isFitting;
  };
  const some = packs.slice(0, MAX_LISTED_PACKS);
  const cut = some.findIndex(({ name }) => !takes(name));
  const named = (cut < 0 ? some : some.slice(0, cut)).map(({ name, purpose }) => {
    return { name, words: purpose === "" ? [] : purpose.split(", "), kept: 0 };
  });
  for (let round = 0; named.some(({ words }) => words.length > round); round++) {
    for (const pack of named) {
      const word = pack.words[round];
      if (word !== undefined && pack.kept === round && takes(word)) pack.kept++;
    }
  }
  const names = named.map(({ name, words, kept }) =>
    kept === 0 ? name : `${name}: ${words.slice(0, kept).join(", ")}`
  );
  const more = packs.length - names.length;
  const list = names.join(names.some((name) => name.includes(": ")) ? "; " : ", ");
  if (more === 0) return list;
  return names.length === 0 ? `${more} packs` : `${list} and ${more} more`;
}

/** Estimates the tokens of words and what is beside them, never too low, without loading a
 * tokenizer. */
function tokensOf(text: string): number {
  const parts = text.match(/[A-Z]?[a-z]+|[A-Z]|[0-9]{1,3}|[^A-Za-z0-9 ]/g) ?? [];
  return 1 + parts.reduce((sum, part) => {
    const isPronounced = /^[a-z]*$/.test(part) && !/[^aeiouy]{4}|[aeiouy]{3}/.test(part);
    return sum + Math.ceil(part.length / (isPronounced ? 4 : 1.5));
  }, 0);
}

/** Settings of the gateway's own tools. */
export interface OwnTools {
  /** False without `look`. */
  readonly look: boolean;
}

/** Builds the definitions of the gateway's own tools for `tools/list`. */
export function ownTools({ look }: OwnTools): JsonObject[] {
  return look ? [runTool(), lookTool()] : [runTool()];
}

// Claude Code loads the tools before they are searched for, and does not cut their results.
const META = { "anthropic/alwaysLoad": true, "anthropic/maxResultSizeChars": 500_000 };

function lookTool(): JsonObject {
  return {
    name: LOOK_TOOL,
    description: "`run` that only reads: other calls are refused.",
    inputSchema: {
      type: "object",
      properties: {
        command: { type: "string" },
        format: { type: "string" },
        sanitize: { type: "boolean" },
        timeout: { type: "number" },
      },
      required: ["command"],
    },
    _meta: META,
    annotations: { readOnlyHint: true, destructiveHint: false },
  };
}

function runTool(): JsonObject {
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
          description: "Of the value; _h is indented",
        },
        sanitize: { type: "boolean", description: "Fence off text from outside" },
        timeout: { type: "number", exclusiveMinimum: 0, description: "Seconds" },
      },
      required: ["command"],
    },
    _meta: META,
    // A program may call any tool, so every hint states the worst case.
    annotations: {
      readOnlyHint: false,
      destructiveHint: true,
      openWorldHint: true,
    },
  };
}

const DESCRIPTION = `Runs TypeScript in a sandbox (no files, network or imports). Tools are \
\`pack.tool(name=value)\` or \`pack.tool({name: value})\`; calls are awaited for you, types are \
checked first, the last expression is the result:

const found = github.search_issues(query="is:open crash", limit=5)
found.items.map(i => ({ owner: i.user.login, size: wiki.read(page=i.title).length }))

console.log goes to the log, not into the reply. A large result is stored; the reply says how to \
read on.`;
