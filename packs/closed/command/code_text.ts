/** Code among the words of an interpreter: `python -c`, `node -e`, `deno eval`. */

import { type Language, languageOfInterpreter } from "../../interpreters.ts";
import { MOST_CHARACTERS, wordsOf } from "../words.ts";

/** Options that are followed by code, by language. */
export const CODE_OPTION: Readonly<Partial<Record<Language, RegExp>>> = {
  python: /^-[a-z]{0,3}c$/i,
  javascript: /^(?:-(?:e|p|pe)|--(?:eval|print))$/,
  other: /^(?:-[a-z]{0,3}[er]|--(?:eval|execute))$/i,
};
/** Commands of interpreters, behind which options follow. */
const COMMAND = /^(?:eval|run|x|exec)$/;
/** Option that contains its code. */
const HELD = /^(?:-[a-z]{0,3}[cer]|--(?:eval|print|execute)=)(.*[\s("'].*)$/is;

/** A path, a module or a name. */
const NAME = /^[\w@:,./~-]*$/;
/** A text in quotes in which nothing is replaced. */
const LITERAL = /(?<!\w)(?:"[^"\\#$%{}]*"|'[^'\\#$%{}]*')/g;
/** Code around such texts: names, calls, lists and values by name. */
const AROUND = /^[\w\s.;,()[\]{}=:>*"-]*$/;
/** Texts that the code joins. */
const JOINED = /"\s*[".]|\.\s*"/;
/** Functions and values that make paths, or find them. */
const MAKES_PATH = new RegExp(
  `\\b(?:${
    [
      "join|joinpath|resolve|concat|format|replace\\w*|slice|split|substr\\w*|reversed?|repeat",
      "cwd|getcwd|pwd|dirname|__\\w*file\\w*__|__(?:file|dir)name|dir|home\\w*|expanduser|Path|PurePath",
      "URL|pathToFileURL|glob\\w*|walk\\w*|listdir|iterdir|scandir|read\\w*|which|environ\\w*|getenv|env",
      "ENV|chr|ord|fromCharCode|fromCodePoint|atob|Buffer|decode\\w*|unhexlify|b64decode|unescape",
    ].join("|")
  })\\b`,
  "s",
);

/** Functions and words that run a file of any ending. */
const LOADS =
  /\b(?:run_path|exec(?:file)?|eval\w*|load(?:file|_file)?|dofile|do|(?:require|include)\w*|source)\b/;

/** Code among the words of a command. Behind its script, or a module, words are data. */
export function codesAmong(words: readonly string[]): string[] {
  let language: Language | undefined;
  let [isData, isEval] = [false, false];
  return words.flatMap((word, at) => {
    const before = words[at - 1] ?? "";
    const next = languageOfInterpreter(word);
    if (next !== undefined) {
      [language, isData, isEval] = [next, false, false];
      return [];
    }
    if (language === undefined || isData) return [];
    isData = isProgram(word, before);
    // `deno eval` takes options before its code.
    const code = isEval && isData ? word : codeIn(word, before, language);
    isEval ||= word === "eval";
    return code === undefined ? [] : [code];
  });
}

/** True for the word that says what an interpreter runs. */
function isProgram(word: string, before: string): boolean {
  if (/^-\w*m$/.test(before)) return true;
  return !word.startsWith("-") && !before.startsWith("-") && !COMMAND.test(word);
}

/** Code that a word holds, or that the word behind an option of an interpreter is. */
function codeIn(word: string, before: string, language: Language): string | undefined {
  return CODE_OPTION[language]?.test(before) ? word : HELD.exec(word)?.[1];
}

/** Words of the code among those of a command, where that code may load them. */
export function loadedByCode(words: readonly string[]): string[] {
  return codesAmong(words).filter((code) => LOADS.test(code)).flatMap((code) => wordsOf([code]));
}

/** True for code in which each path that it may start or load stands in one piece. */
export function isPlainCode(code: string): boolean {
  if (code.length > MOST_CHARACTERS) return false;
  if (NAME.test(code)) return true;
  const around = code.replaceAll(LITERAL, '"');
  return AROUND.test(around) && !JOINED.test(around) && !MAKES_PATH.test(around);
}
