/** Texts that a shell runs: those that name plainly what they start, and those that only the shell can
 * tell. */

import { type Language, languageOfInterpreter } from "../../interpreters.ts";
import { runsPackage } from "../../runs_package.ts";

const OPTION = /^[-+]|^\/[a-z]$/i;
/** One that is followed by such a text. */
const TEXT_OPTION = /^(?:-[a-z]{0,3}c[a-z]{0,3}|-S|--?(?:command|run|call|split-string)|\/c)$/i;
/** One whose value comes first. */
const VALUE_OPTION = /^[-+][a-z]*o$/i;
/** Values that a shell neither divides nor reads as anything but a text. */
const PLAIN = /^[\w@%+=:,./~-]*$/;
/** A variable at the start of a command, with a value that starts nothing. */
const ASSIGNED =
  /(?<=^|[\s;&|(])(?!PATH=)\w+=(?:\$\([\w@%+=:,./~ -]*\)|"[^"`$]*"|"\$\([\w@%+=:,./~ -]*\)"|'[^']*'|[\w@%+=:,./~-]+)(?=\s|$|;)/g;
/** Behind a package: a whole word that is the value of a variable, but for one that says what runs. */
const VARIABLE =
  /(?<=\s(?!(?:--|--?(?:from|with|with-editable|spec|p|package|prefix|directory|project))[\s=])[^\s=]+[\s=])(["']?)\$(?:\w+|\{\w+\})\1(?=\s|$)/g;
/** A word in quotes that is no path. */
const QUOTED = /(?<=^|[\s=])(?:"[^"$`\\/]*"|'[^'\\/]*')(?=\s|$)/g;
const QUOTED_PLAIN = /(?<=^|\s)(["'])([\w@%+=:,./~-]+)\1(?=\s|$)/g;

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
    const text = withValues(word, variables);
    isPlain &&= commandsOf(text).every(isPlainCommand);
    return text;
  });
  return { args: read.slice(1), isPlain };
}

function withValues(text: string, variables: Readonly<Record<string, string>>): string {
  // All words behind the text are looked at anyway.
  const whole = text.replaceAll(/\$[@*#?$!-]|(["']?)\$\d\1(?=\s|$)/g, "");
  return whole.replaceAll(/\$(?:(\w+)|\{(\w+)\})/g, (all, bare, braced) => {
    const name = bare ?? braced;
    const value = Object.hasOwn(variables, name) ? variables[name] : undefined;
    const isChanged = new RegExp(`\\b${name}=`).test(text);
    return value === undefined || isChanged || !PLAIN.test(value) ? all : value;
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
  return !/[^\w@%+=:,./~\s-]|(?<![^\s=:])~[^/\s]/.test(left);
}
