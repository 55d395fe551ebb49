/** Settings of JavaScript in the folders where programs start. */

import { stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { attempt } from "#base";
import { readRegularText, under } from "#files";
import { DATA, languageOfName } from "./languages.ts";
import { namesOf } from "./link_names.ts";
import { MOST_BYTES } from "./command/command_texts.ts";
import type { Programs } from "./scripts.ts";
import { filesNamedIn, INCLUDED } from "./words.ts";

/** Most files that settings may name. */
const MOST_NAMED = 500;
/** Settings that say where imports lead. They name other files: import maps, and settings to
 * extend. */
const SETTINGS = ["deno.json", "deno.jsonc", "tsconfig.json", "jsconfig.json"];

/** Adds the files that settings in the start folders of programs name, except scripts and data. */
export async function addSettings({ files, starts }: Programs, home: string): Promise<void> {
  const waiting = new Set(
    [...starts].flatMap((folder) => SETTINGS.map((name) => join(folder, name))),
  );
  const most = waiting.size + MOST_NAMED;
  for (const path of waiting) {
    const text = attempt(() => readRegularText(path, MOST_BYTES));
    if (text === undefined) continue;
    const folder = dirname(path);
    const paths = [...await filesNamedIn(text, folder, home), ...await filesOfValues(text, folder)];
    for (const file of paths) {
      if (DATA.test(file) || languageOfName(basename(file)) || waiting.size > most) continue;
      waiting.add(file);
      for (const name of namesOf(file)) files.add(name);
    }
  }
}

const MOST_VALUES = 2_000;
/** A package, or an address elsewhere. */
const ELSEWHERE = /^(?!file:)[a-z][\w+.-]+:/i;

/** Files that whole values of settings name, as paths and as URLs. */
async function filesOfValues(text: string, folder: string): Promise<string[]> {
  const values = [...literalsIn(text).take(MOST_VALUES)].flatMap((literal) => {
    const value = valueOf(literal);
    const isPath = value !== "" && !ELSEWHERE.test(value) && !value.includes("\0");
    return isPath && !languageOfName(basename(value)) ? [value] : [];
  });
  const base = `${pathToFileURL(folder).href}/`;
  const paths = new Set(values.flatMap((value) => [
    under(folder, value),
    // Deno reads the value as a URL: `my%20map.json?x`.
    ...attempt(() => [fileURLToPath(new URL(value, base))], []),
  ]));
  const files = await Promise.all([...paths].map(async (path) => {
    const info = await stat(path).catch(() => undefined);
    return info?.isFile() || (info === undefined && INCLUDED.test(path)) ? [path] : [];
  }));
  return files.flat();
}

/** Literals of JSON texts, also those in single quotes, which some parsers accept, with their
 * quotes. */
export function* literalsIn(text: string): Generator<string> {
  const inside = {
    '"': /(?:[^"\\\n]|\\[^\n\r\u2028\u2029])*/y,
    "'": /(?:[^'\\\n]|\\[^\n\r\u2028\u2029])*/y,
  };
  // Each quote in an unclosed literal is escaped, and a literal from there is unclosed as well.
  const unended = { '"': 0, "'": 0 };
  for (let at = 0; at < text.length; at++) {
    const quote = text[at];
    if ((quote !== '"' && quote !== "'") || at < unended[quote]) continue;
    inside[quote].lastIndex = at + 1;
    inside[quote].test(text);
    const end = inside[quote].lastIndex;
    if (text[end] !== quote) unended[quote] = end;
    else {
      yield text.slice(at, end + 1);
      at = end;
    }
  }
}

/** Text of a literal in double or single quotes; empty where it cannot be read. */
function valueOf(literal: string): string {
  const inner = literal.slice(1, -1);
  const quoted = literal.startsWith('"')
    ? literal
    : `"${inner.replaceAll("\\'", "'").replaceAll(/(?<!\\)"/g, '\\"')}"`;
  return attempt((): string => JSON.parse(quoted), "");
}
