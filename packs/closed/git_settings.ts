/** Files of a project that its git configuration names: git starts them, or reads what to start. */

import { stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { attempt } from "#base";
import { readRegularText } from "#files";
import { namesOf } from "./link_names.ts";
import { wordsOf } from "./words.ts";

/** Limit of included files: one may include itself. */
const MOST_FILES = 20;
const MOST_WORDS = 1_000;
const MOST_BYTES = 1024 * 1024;

/** Folders of hooks, included files, and the scripts in commands (`filter.x.clean`, `alias.x`). */
export async function namedByGit(root: string): Promise<string[]> {
  const named: string[] = [];
  const waiting = settingsOf(root);
  for (const file of waiting) {
    if (waiting.length > MOST_FILES) break;
    const entries = entriesOf(textOf(file));
    for (const [key, value] of entries) {
      if (key === "hookspath") named.push(resolve(root, value));
      if (key !== "path") continue;
      const included = resolve(dirname(file), value);
      named.push(included);
      waiting.push(included);
    }
    const words = wordsOf(entries.map(([, value]) => value)).slice(0, MOST_WORDS);
    const paths = words.map((word) => resolve(root, word));
    const areFiles = await Promise.all(paths.map(isFile));
    named.push(...paths.filter((_, at) => areFiles[at]));
  }
  const names = (await Promise.all(named.map(namesOf))).flat();
  return names.filter((path) => path !== root && path !== dirname(root));
}

/** Files of configuration; the folder of a worktree or a submodule has a file `.git`. */
function settingsOf(root: string): string[] {
  const git = join(root, ".git");
  const link = /^gitdir: (.*)$/m.exec(textOf(git))?.[1];
  const folder = link === undefined ? git : resolve(root, link);
  const common = textOf(join(folder, "commondir")) || ".";
  return [join(resolve(folder, common.trim()), "config"), join(folder, "config.worktree")];
}

/** Empty for a file that is not there, and for one that is too large. */
function textOf(file: string): string {
  return attempt(() => readRegularText(file, MOST_BYTES)) ?? "";
}

function entriesOf(text: string): (readonly [key: string, value: string])[] {
  return [...text.matchAll(/^[^\S\n]*(?:\[[^\]\n]*\][^\S\n]*)?([\w-]+)[^\S\n]*=[^\S\n]*(.*)$/gm)]
    .map(([, key = "", value = ""]) => [key.toLowerCase(), unquoted(value)] as const);
}

/** A command of an alias begins with `!`. */
function unquoted(value: string): string {
  const text = /^"([^"]*)"/.exec(value)?.[1] ?? value.replace(/[#;].*$/, "").trim();
  return text.replace(/^!/, "");
}

async function isFile(path: string): Promise<boolean> {
  return await stat(path).then((info) => info.isFile(), () => false);
}
