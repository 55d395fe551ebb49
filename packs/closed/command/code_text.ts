/** Code among the words of an interpreter: `python -c`, `node -e`, `deno eval`. */

import { type Language, languageOfInterpreter } from "../../interpreters.ts";
import { MOST_CHARACTERS, wordsOf } from "../words.ts";

/** Options and commands that are followed by code, by language. */
const CODE_OPTION: Readonly<Partial<Record<Language, RegExp>>> = {
  python: /^-[a-z]{0,3}c$/i,
  javascript: /^(?:-(?:e|p|pe)|--(?:eval|print)|eval)$/,
  other: /^(?:-[a-z]{0,3}[er]|--(?:eval|execute))$/i,
};
/** One that holds code itself. */
const HELD = /^(?:-[a-z]{0,3}[cer]|--(?:eval|print|execute)=)(.*[\s("'].*)$/is;

/** A path, a module or a name. */
const NAME = /^[\w@:,./~-]*$/;
/** A text in quotes in which nothing is replaced. */
const LITERAL = /(?<!\w)(?:"[^"\\#$%{}]*"|'[^'\\#$%{}]*')/g;
/** Code around such texts: names, calls, lists and values by name. */
const AROUND = /^[\w\s.;,()[\]{}=:>*"-]*$/;
/** Texts that are put together. */
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
);

/** Functions and words that run a file of any ending. */
const LOADS =
  /\b(?:run_path|exec(?:file)?|eval\w*|load(?:file|_file)?|dofile|do|(?:require|include)\w*|source)\b/;

/** Words of the code among those of a command, where that code may load them. */
export function loadedByCode(words: readonly string[]): string[] {
  let language: Language | undefined;
  return words.flatMap((word, at) => {
    const code = language && codeIn(word, words[at - 1] ?? "", language);
    language = languageOfInterpreter(word) ?? language;
    return code !== undefined && LOADS.test(code) ? wordsOf([code]) : [];
  });
}

/** Code that a word holds, or that the word behind an option of an interpreter is. */
export function codeIn(word: string, before: string, language: Language): string | undefined {
  return CODE_OPTION[language]?.test(before) ? word : HELD.exec(word)?.[1];
}

/** True for code in which each path that it may start or load stands in one piece. */
export function isPlainCode(code: string): boolean {
  if (code.length > MOST_CHARACTERS) return false;
  if (NAME.test(code)) return true;
  const around = code.replaceAll(LITERAL, '"');
  return AROUND.test(around) && !JOINED.test(around) && !MAKES_PATH.test(around);
}
