/** Programs that are read where they come in: the way to a worker takes longer than their reading. */

import type { Source } from "./types.ts";

/** Within these bounds no text was found that takes more than a few milliseconds to read. */
const LONGEST = 500;
/** Each of these may be the begin of a type or of an operator, which the parser finds out by trying
 * both: every further one may double its work. */
const AMBIGUOUS = /[<?]/g;
const MOST_AMBIGUOUS = 2;
/** A snippet's template decides itself how long it takes; a fence may hold one. */
const TEMPLATE = /^\s*[$`~]/;

/** Whether a program is small and plain enough. */
export function isQuick(source: Source): boolean {
  const text = textOf(source);
  return text !== undefined && text.length <= LONGEST && !TEMPLATE.test(text) &&
    (text.match(AMBIGUOUS)?.length ?? 0) <= MOST_AMBIGUOUS;
}

function textOf(source: Source): string | undefined {
  if (source.kind === "command") return source.command;
  return Object.keys(source.files).length === 0 ? source.script : undefined;
}

/** What has been read often is read several times as fast. */
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
