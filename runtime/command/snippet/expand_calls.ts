/** Expands commands that call snippets: `$name key=value key="quoted value"` (RUN-31). */

import type { JsonValue } from "#base";
import { listed, nearest } from "#packs/nearest";
import { placeAt } from "../fence.ts";
import { expandSnippet, listParams, SnippetError } from "./expand_snippet.ts";
import type { Place } from "../../syntax/place.ts";
import type { CommandFinding, SnippetDefinition } from "../types.ts";

export interface Expanded {
  readonly kind: "expanded";
  readonly text: string;
  /** Place of the call for each line of the text. */
  readonly lines: readonly Place[];
}

interface Call {
  readonly name: string;
  readonly start: number;
  readonly values: Readonly<Record<string, JsonValue>>;
  /** Text after the parameters. */
  readonly rest?: string;
}

type Snippets = Readonly<Record<string, SnippetDefinition>>;

/** Text that continues a name as TypeScript. */
const OPERATOR = /^(?:[=.,;([?+*/%&|<>!^-]|in\b|instanceof\b|as\b)/;
const MAX_CALLS = 100;
const NAME = /\s*\$([A-Za-z_][\w-]*)(?=\s|$)/y;
const NEXT = /[^\S\n\r]*(?:[\n\r]\s*)(?=\$[A-Za-z_][\w-]*(?:\s|$))/y;
const VALUE = /([A-Za-z_][\w-]*)=("(?:[^"\\]|\\[^])*"|'(?:[^'\\]|\\[^])*'|[^\s"']\S*|)(?=\s|$)/y;
const LINE = /([A-Za-z_][\w-]*):(?=[^\S\n\r]|[\n\r]|$)([^\n\r]*)/y;

/** Expands a command that is one snippet call or several in a row; undefined for any other command,
 * such as TypeScript whose first name begins with `$`. */
export function expandCalls(
  text: string,
  snippets: Snippets,
): Expanded | CommandFinding | undefined {
  if (!/^\s*\$[A-Za-z_]/.test(text)) return undefined;
  const calls = readCalls(text);
  if (!calls || calls.some(({ rest }) => rest !== undefined && OPERATOR.test(rest))) {
    return undefined;
  }
  const isSnippet = calls.some(({ name }) => Object.hasOwn(snippets, name));
  if (!isSnippet && calls.some(({ rest }) => rest !== undefined)) return undefined;
  const parts: string[] = [];
  const lines: Place[] = [];
  for (const call of calls) {
    const place = placeAt(text, call.start);
    try {
      if (calls.length > MAX_CALLS) {
        throw new SnippetError(`Cannot expand more than ${MAX_CALLS} snippets in one command`);
      }
      const part = expandCall(call, snippets);
      parts.push(part);
      for (const _ of part.split(/\r\n|[\n\r\u2028\u2029]/)) lines.push(place);
    } catch (error) {
      if (!(error instanceof SnippetError)) throw error;
      return { kind: "finding", code: "syntax_error", message: error.message, ...place };
    }
  }
  return { kind: "expanded", text: parts.join("\n"), lines };
}

function expandCall({ name, values, rest }: Call, snippets: Snippets): string {
  const definition = Object.hasOwn(snippets, name) ? snippets[name] : undefined;
  if (!definition) {
    const near = listed(nearest(name, Object.keys(snippets)));
    throw new SnippetError(`Cannot expand "$${name}": no such snippet: available: ${near}`);
  }
  if (rest !== undefined) {
    throw new SnippetError(
      `Cannot expand "$${name}": ${JSON.stringify(rest)} is not key=value: parameters: ` +
        listParams(definition),
    );
  }
  return expandSnippet(definition, values, { name: `$${name}` });
}

function readCalls(text: string): Call[] | undefined {
  const calls: Call[] = [];
  let at = 0;
  while (text.slice(at).trim() !== "") {
    NAME.lastIndex = at;
    const match = NAME.exec(text);
    if (!match) return undefined;
    const call = readValues(text, NAME.lastIndex);
    const name = match[1] ?? "";
    const start = NAME.lastIndex - name.length - 1;
    calls.push({ name, start, values: call.values, ...(call.rest ? { rest: call.rest } : {}) });
    at = call.end;
  }
  return calls;
}

function readValues(text: string, from: number) {
  const entries: [string, JsonValue][] = [];
  let at = from;
  while (true) {
    const gap = match(/\s*/y, text, at);
    const next = at + (gap?.[0].length ?? 0);
    const ended = next >= text.length || match(NEXT, text, at);
    if (ended) return { values: Object.fromEntries(entries), end: next };
    const newLine = /[\n\r]/.test(text.slice(at, next));
    const entry = match(VALUE, text, next) ?? (newLine ? match(LINE, text, next) : null);
    if (!entry) {
      const [rest = ""] = text.slice(next, next + 60).split(/[\n\r]/, 1);
      return { values: {}, end: text.length, rest };
    }
    const [whole, name = "", value = ""] = entry;
    entries.push([name, quotedOrBare(value.trim())]);
    at = next + whole.length;
  }
}

function match(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  const sticky = new RegExp(pattern);
  sticky.lastIndex = at;
  return sticky.exec(text);
}

/** Value of a parameter: unquoted numbers and booleans are values, all else is text. */
function quotedOrBare(text: string): JsonValue {
  if (/^("(?:[^"\\]|\\[^])*"|'(?:[^'\\]|\\[^])*')$/.test(text)) {
    return text.slice(1, -1).replace(/\\([^])/g, (_, mark: string) => unescaped(mark));
  }
  if (text === "true" || text === "false") return text === "true";
  const number = Number(text);
  // `007` and `1.0` are text, since the number is written otherwise.
  return text !== "" && Number.isFinite(number) && String(number) === text ? number : text;
}

function unescaped(mark: string): string {
  return mark === "n" ? "\n" : mark === "t" ? "\t" : mark;
}
