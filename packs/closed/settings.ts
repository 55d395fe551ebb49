/** Settings of JavaScript in the folders where programs start. */

import { basename, dirname, join } from "node:path";
import { attempt } from "#base";
import { readRegularText } from "#files";
import { DATA, languageOfName } from "./languages.ts";
import { namesOf } from "./link_names.ts";
import { MOST_BYTES, type Programs } from "./scripts.ts";
import { filesNamedIn } from "./words.ts";

/** Most files that settings may name. */
const MOST_NAMED = 500;
/** Settings that say where imports lead; they name others: maps of imports, settings to extend. */
const SETTINGS = ["deno.json", "deno.jsonc", "tsconfig.json", "jsconfig.json"];

/** Adds what the settings in the folders where programs start name, but for scripts and data. */
export async function addSettings({ files, starts }: Programs, home: string): Promise<void> {
  const waiting = new Set(
    [...starts].flatMap((folder) => SETTINGS.map((name) => join(folder, name))),
  );
  const most = waiting.size + MOST_NAMED;
  for (const path of waiting) {
    const text = attempt(() => readRegularText(path, MOST_BYTES));
    const paths = text === undefined ? [] : await filesNamedIn(text, dirname(path), home);
    for (const file of paths) {
      if (DATA.test(file) || languageOfName(basename(file)) || waiting.size > most) continue;
      waiting.add(file);
      for (const name of namesOf(file)) files.add(name);
    }
  }
}
