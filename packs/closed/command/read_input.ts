/** Commands of shells that take what they run from their input, or from words that are read from a
 * file. */

import { type Language, languageOfInterpreter, unversioned } from "../../interpreters.ts";
import { startsAnother } from "../../program_name.ts";
import { runsPackage } from "../../runs_package.ts";
import { linesIn, MOST_CHARACTERS } from "../words.ts";
import { CODE_OPTION } from "./code_text.ts";
import { COMMAND, isRunner, startedBy } from "./script_words.ts";

/** Input and output of a command, with the files. */
const REDIRECTED = /\d{0,9}(?:<{1,3}|>>?)&?\s*(?:"[^"]*"|'[^']*'|[^\s;|&()<>"']+)/g;
/** Words before a command in a text of a shell. */
const LEAD = /^(?:\w+=.*|if|then|else|elif|while|until|do|!|\{|command|builtin|coproc|exec)$/s;
/** Commands of starters that print texts for a shell: `mise activate bash`. */
const PRINTS = /^(?:activate|hook|completions?)$/;
/** Programs that make words of commands from their input. */
const FEEDER = /^(?:xargs|parallel)$/;
/** Options of these with a value. */
const FEEDER_VALUE = /^-(?:[aIEdLnPsJRSj]|-(?:arg-file|delimiter|max-\w+|replace|jobs|colsep))$/;
/** Input as a file. */
const INPUT = /^(?:-|\/dev\/(?:stdin|fd\/\d+)|\/proc\/self\/fd\/\d+)$/;
const SHELL_CODE = /^-(?:[a-z]{0,3}c[a-z]{0,3}|command)$/i;
const SHELL_INPUT = /^-[a-z]*s[a-z]*$/;
/** Options with a value that is no script. */
const VALUE =
  /^(?:[-+][a-z]*[oO]|-[WXIrC]|--(?:require|import|loader|rcfile|init-file|env-file|input-type|with|config))$/;
/** Options that contain their code, and those for which an interpreter runs nothing. */
const RUNS_OTHER = /^(?:--(?:eval|print|execute|command)=.*|-V|--version|--help)$/s;
/** Interpreters that never read code from their input. */
const NEVER = /^(?:[gmn]?awk|java|dotnet|mono|electron)$/;
/** Start of a command, or of its code, that a shell takes from what another prints. */
const SUBSTITUTED = new RegExp(
  "(?:(?:^|[;&|(\\n]|\\b(?:then|do|else)\\s)\\s*|(?<![\\w=-])(?:eval|exec|env|export|source|\\.|-[a-z]{0,3}c)\\s+)" +
    "[\"']?(?:\\$\\(|`)([^()`]*)",
  "gs",
);

/** Words of a text of a shell that may be files from which it takes what it runs. */
export function inputOf(text: string): string[] {
  // Of a longer text, only the shell can tell what it starts.
  if (text.length > MOST_CHARACTERS) return [];
  const lines = linesIn(text);
  const isRead = linesIn(text.replaceAll(REDIRECTED, " ")).some(takesInput);
  if (isRead) return lines.flat();
  return [...text.matchAll(SUBSTITUTED)].flatMap(([, inner = ""]) => linesIn(inner).flat());
}

/** Words of a command that may be files of words from which `xargs` makes the command that it runs. */
export function fedBy(words: readonly string[]): string[] {
  return words.some(isFeeder) && takesInput(words) ? [...words] : [];
}

function isFeeder(word: string): boolean {
  return FEEDER.test(unversioned(word));
}

/** True for the words of a command that takes what it runs from its input. */
function takesInput(line: readonly string[]): boolean {
  const words = line.slice(Math.max(line.findIndex((word) => !LEAD.test(word)), 0));
  const [first = ""] = words;
  const at = words.findIndex((word) => startedBy(word) !== undefined);
  const feeder = words.findIndex(isFeeder);
  if (at > 0 && !startsAnother(first) && !isFeeder(first)) return false;
  if (words.slice(0, Math.max(at, 0)).some((word) => PRINTS.test(word))) return false;
  if (at < 0) return feeder >= 0 && isOpen(words.slice(feeder));
  return takesScript(words.slice(at), feeder < 0 ? undefined : replacedBy(words.slice(feeder)));
}

/** True if a feeder starts a program that its input names. */
function isOpen([feeder = "", ...words]: readonly string[]): boolean {
  const named = words.filter((word, at) =>
    !/^[-\d]/.test(word) && !FEEDER_VALUE.test(words[at - 1] ?? "")
  );
  const isStart = (word: string) => startsAnother(word) || runsPackage([word]) !== undefined;
  return named.every(isStart) && (named.length > 0 || unversioned(feeder) === "parallel");
}

/** Text that a feeder replaces by its input. */
function replacedBy(words: readonly string[]): string {
  const at = words.findIndex((word) => /^-[IJ]/.test(word));
  return words[at]?.slice(2) || (at < 0 ? undefined : words[at + 1]) || "{}";
}

/** True for an interpreter and its words where these name neither a script nor code. */
function takesScript(words: readonly string[], replaced: string | undefined): boolean {
  const [program = "", ...args] = words;
  if (args.some((word) => INPUT.test(word))) return true;
  let language = startedBy(program);
  let isValue = false;
  for (const [at, word] of args.entries()) {
    const rest = args.slice(at + 1);
    if (language === "shell" && SHELL_INPUT.test(word)) return true;
    if (isValue || (isRunner(program) && COMMAND.test(word))) isValue = false;
    else if (isCodeOption(word, language)) return isOpenCode(rest, replaced);
    else if (languageOfInterpreter(word)) language = languageOfInterpreter(word);
    else if (!word.startsWith("-")) return isMade(word, program, replaced);
    else if (RUNS_OTHER.test(word) || /^-\w*m$/.test(word)) return false;
    else if (word === "-v" && language !== "shell" && language !== "python") return false;
    else isValue = VALUE.test(word);
  }
  return !NEVER.test(unversioned(program));
}

function isCodeOption(word: string, language: Language | undefined): boolean {
  const option = language === "shell" ? SHELL_CODE : language && CODE_OPTION[language];
  return option?.test(word) === true;
}

/** True for code that is missing, or that a variable or a feeder's input is. */
function isOpenCode(code: readonly string[], replaced: string | undefined): boolean {
  const [first] = code;
  if (first === undefined || first === "-" || /^\$[\w{]/.test(first)) return true;
  return replaced !== undefined && code.some((word) => word.includes(replaced));
}

/** True for a script that a feeder's input is, and for a text in a variable that a shell reads. */
function isMade(word: string, program: string, replaced: string | undefined): boolean {
  if (program === "eval") return /^\$[\w{]/.test(word);
  return replaced !== undefined && word.includes(replaced);
}
