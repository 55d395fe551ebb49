/** Texts that a shell runs: plain ones, which name what they start, and those that only the shell
 * can interpret. */

import { type Language, languageOfInterpreter } from "../../interpreters.ts";
import { runsPackage } from "../../runs_package.ts";
import { MOST_CHARACTERS } from "../words.ts";
import { codesAmong, isPlainCode } from "./code_text.ts";

const OPTION = /^[-+]|^\/[a-z]$/i;
/** Option that is followed by a text for the shell. */
const TEXT_OPTION = /^(?:-[a-z]{0,3}c[a-z]{0,3}|-S|--?(?:command|run|call|split-string)|\/c)$/i;
/** Option whose value stands before that text. */
const VALUE_OPTION = /^[-+][a-z]*o$/i;
/** Characters that a shell neither divides nor replaces. */
const PLAIN = "[\\w@%+=:,./~-]";
const IS_PLAIN = new RegExp(`^${PLAIN}*$`, "s");
const SUBSTITUTION = `\\$\\((?:${PLAIN}| )*\\)`;
/** Assignment at the start of a command, whose value starts nothing that other words do not
 * name. */
const ASSIGNED = new RegExp(
  "(?<=^|[\\s;&|(])(?!PATH=)\\w+=" +
    `(?:${SUBSTITUTION}|"${SUBSTITUTION}"|"[^"\`$]*"|'[^']*'|${PLAIN}+)(?=[\\s;]|$)`,
  "gs",
);
/** An option whose value is a program or a package, and the end of options. */
const NAMES_PROGRAM = "--|--?(?:from|with|with-editable|spec|p|package|prefix|directory|project)";
/** Variable that is a whole word behind a package, unless the option before it says what runs. */
const VARIABLE = new RegExp(
  `(?<=\\s(?!(?:${NAMES_PROGRAM})[\\s=])[^\\s=]+[\\s=])` +
    "([\"']?)\\$(?:\\w+|\\{\\w+\\})\\1(?=\\s|$)",
  "gs",
);
/** A word in quotes that is no path. */
const QUOTED = /(?<=^|[\s=])(?:"[^"$`\\/]*"|'[^'\\/]*')(?=\s|$)/g;
const QUOTED_PLAIN = new RegExp(`(?<=^|\\s)(["'])(${PLAIN}+)\\1(?=\\s|$)`, "gs");
/** Text that a shell replaces: other characters, and the home folder of a user by name. */
const REPLACED = new RegExp(`(?!${PLAIN}|\\s).|(?<![^\\s=:])~[^/\\s]`, "s");

export interface ShellWords {
  /** The words, with the values of known variables in place of their names. */
  readonly args: readonly string[];
  /** False where only the shell can tell what a text starts. */
  readonly isPlain: boolean;
}

/** Reads the texts among the words behind a program; `variables` are those that the shell has. */
export function shellWords(
  words: readonly [command: string, ...args: string[]],
  variables: Readonly<Record<string, string>>,
): ShellWords {
  let isPlain = true;
  let language: Language | undefined;
  let isNext = false;
  const read = words.map((word, at) => {
    if (isNext && VALUE_OPTION.test(words[at - 1] ?? "")) return word;
    if (at > 0 && OPTION.test(word)) {
      isNext ||= TEXT_OPTION.test(word);
      return word;
    }
    const isText = isNext && (language === undefined || language === "shell");
    isNext = false;
    language = languageOfInterpreter(word) ?? language;
    if (!isText) return word;
    if (word.length > MOST_CHARACTERS) {
      isPlain = false;
      return word;
    }
    const text = withValues(word, variables);
    isPlain &&= commandsOf(text).every(isPlainCommand);
    return text;
  });
  return { args: read.slice(1), isPlain: isPlain && codesAmong(words).every(isPlainCode) };
}

function withValues(text: string, variables: Readonly<Record<string, string>>): string {
  // All words behind the text are looked at anyway.
  const whole = text.replaceAll(/\$[@*#?$!-]|(["']?)\$\d\1(?=\s|$)/g, "");
  const changed = new Set([...text.matchAll(/\b(\w+)=/g)].map(([, name]) => name));
  return whole.replaceAll(/\$(?:(\w+)|\{(\w+)\})/g, (all, bare, braced) => {
    const name = bare ?? braced;
    const value = Object.hasOwn(variables, name) ? variables[name] : undefined;
    return value === undefined || changed.has(name) || !IS_PLAIN.test(value) ? all : value;
  });
}

function commandsOf(text: string): string[] {
  return text.replaceAll(ASSIGNED, "").replaceAll(/\d?>&\d|[<>]/g, " ").split(/&&|\|\||[;|&\n]/);
}

/** True for words without anything that the shell replaces; behind a package that is fetched, whole
 * words are data. */
function isPlainCommand(text: string): boolean {
  const words = text.trim().split(/\s+/);
  const before = runsPackage(words);
  const name = words.slice(before).find((word) => !word.startsWith("-")) ?? "";
  const isData = before !== undefined && !/[$`]/.test(name);
  const left = (isData ? text.replaceAll(VARIABLE, "") : text)
    .replaceAll(QUOTED_PLAIN, "$2").replaceAll(QUOTED, "");
  return !REPLACED.test(left);
}
