/** Scripts and folders that interpreters start, before a build has made them. */

import { resolve } from "node:path";
import { nameOf } from "../program_name.ts";
import { type Language, languageOfInterpreter, MODULES } from "./languages.ts";
import { namesOf } from "./link_names.ts";
import { addPackage, addScript, infoOf, type Reader } from "./scripts.ts";
import { candidatesOf } from "./words.ts";

/** Options that are followed by code. */
export const CODE = /^(?:-{1,2}(?:e|p|pe|eval|print)|eval)$/;
/** Commands that are followed by what runs. */
export const COMMAND = /^(?:run|exec|start|serve|watch|dev|tool|dlx|x|cd)$/;
/** Interpreters with such commands. */
const RUNNER = /^(?:deno|bun|tsx|uv)$/;
/** Options after which no script is named, and addresses. */
const NO_SCRIPT = /^(?:-\w*[cm]|(?:npm|jsr|https?|node):.*)$/;

/** Adds what the first interpreter among words starts, with the modules of its language. */
export async function addUnbuilt(words: readonly string[], reader: Reader): Promise<void> {
  const isSourced = words[0] === "." || words[0] === "source";
  const at = isSourced ? 0 : words.findIndex((word) => languageOfInterpreter(word) !== undefined);
  let language = isSourced ? "shell" : languageOfInterpreter(words[at] ?? "");
  if (language === undefined) return;
  const isRunner = RUNNER.test(nameOf(words[at] ?? ""));
  let isValue = false;
  for (const word of words.slice(at + 1)) {
    const isOption = word.startsWith("-");
    const inner = languageOfInterpreter(word);
    if (NO_SCRIPT.test(word) || CODE.test(word) || (isRunner && word === "task")) return;
    if (inner !== undefined) language = inner;
    else if (!isOption && !(isRunner && COMMAND.test(word))) {
      await addStarted(word, language, reader);
      // The value of an option may be all that it is.
      if (!isValue) return;
    }
    isValue = isOption;
  }
}

async function addStarted(word: string, language: Language, reader: Reader): Promise<void> {
  const { programs, places, bases } = reader;
  for (const base of bases) {
    const path = resolve(base, candidatesOf(word, places.home)[0] ?? word);
    const info = await infoOf(path);
    if (info?.isFile() || (info && language === "shell")) continue;
    await addScript(path, { ...reader, interpreter: language }, { isEntry: false });
    for (const name of await namesOf(path)) {
      if (info) programs.modules.push({ folder: name, ending: MODULES[language] });
      if (language !== "python") addPackage(name, language, reader);
    }
  }
}
