/** Limits of reading: which programs are read in the gateway, since a message to the worker takes
 * longer than reading them, and how long a reading may take. */

import type { SnippetSource, Source } from "./types.ts";

/** Characters that most programs read in a few milliseconds. Not all: the parser tries some beginnings
 * of types twice, so that each level of them doubles its work. */
const LONGEST = 500;
/** Beginning of a snippet call, or of a fence that may hold one: the time of a template has no
 * bound. */
const TEMPLATE = /^\s*[$`~]/;

/** Tells whether a program is small and plain enough. */
export function isQuick(source: Source): boolean {
  const text = textOf(source);
  return text !== undefined && text.length <= LONGEST && !TEMPLATE.test(text);
}

function textOf(source: Source): string | undefined {
  if (source.kind === "command") return source.command;
  return Object.keys(source.files).length === 0 ? source.script : undefined;
}

/** Programs of the rehearsal: compiled code reads several times as fast. */
export const REHEARSAL: readonly Source[] = [
  ...[
    'found = pack.tool(query="x", limit=5)\nfound.map((one) => one.name)',
    "const all: string[] = [];\nfor (let n = 0; n < 3; n++) { all.push(`${n}`); }\n({ all, sum: 1 + 2 })",
    "await Promise.all([1, 2].map(async (n) => pack.tool(n=n)))",
  ].map((command) => ({ kind: "command", command } as const)),
  {
    kind: "script",
    script: 'import { tools } from "toolscript";\nexport default await tools.pack.tool({ a: 1 });',
    file: "main.ts",
    files: {},
  },
];

/** Milliseconds for any program, for every 1,000 characters, and at most: others wait as long. */
const BASE_MS = 2_000;
const PER_THOUSAND_MS = 10;
const MOST_MS = 9_000;

/** Answer of the worker whose reading took longer. */
export const LATE = "late";

/** Deadline in milliseconds, by the size of the program. */
export function deadlineOf(source: Source | SnippetSource): number {
  return Math.min(BASE_MS + PER_THOUSAND_MS * sizeOf(source) / 1_000, MOST_MS);
}

function sizeOf(source: Source | SnippetSource): number {
  if (source.kind === "snippet") return JSON.stringify(source.values).length;
  if (source.kind === "command") return source.command.length;
  return Object.values(source.files).reduce((sum, text) => sum + text.length, source.script.length);
}

/** Words and marks of a script and its files together: each may be a node of the syntax tree, which takes
 * 300 bytes and more. */
export const MOST_TOKENS = 1_000_000;
const ASCII_MARKS = "!-#%-/:-@[-^`{-~";
const TOKEN = new RegExp(`[^\\s${ASCII_MARKS}]+|[${ASCII_MARKS}]`, "g");

/** True for texts with more words and marks than that, those in strings and comments included: only the
 * parser can tell them apart. */
export function hasTooManyTokens(texts: readonly string[]): boolean {
  if (texts.reduce((sum, text) => sum + text.length, 0) <= MOST_TOKENS) return false;
  let left = MOST_TOKENS;
  for (const text of texts) {
    TOKEN.lastIndex = 0;
    while (TOKEN.test(text)) {
      if (--left < 0) return true;
    }
  }
  return false;
}
