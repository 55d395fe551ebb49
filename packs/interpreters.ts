/** Interpreters, with the languages of their scripts. */

import { nameOf } from "./program_name.ts";

export type Language =
  | "javascript"
  | "python"
  | "shell"
  | "native"
  | "other";

/** Names by language. */
const INTERPRETERS: readonly (readonly [Language, names: string])[] = [
  [
    "javascript",
    "node nodejs deno bun tsx ts-node ts-node-esm vite-node electron jiti esno qjs",
  ],
  ["python", "python pythonw py pyw pypy graalpy ipython jython micropython uv"],
  [
    "shell",
    "sh bash rbash zsh dash ksh mksh oksh yash ash fish csh tcsh " +
    "nu xonsh elvish osh pwsh pwsh-preview powershell busybox toybox",
  ],
  [
    "other",
    "ruby perl jruby truffleruby raku php php-cgi hhvm lua luajit luau rscript julia elixir erl " +
    "iex escript tclsh wish expect awk gawk mawk nawk java jshell groovy kotlin scala dotnet mono " +
    "racket guile osascript runghc ocaml",
  ],
];

/** Version and build at the end of a name. */
const VERSION = new RegExp(
  "(?<=[a-z])(?:[@<=>~[].*|(?:-?\\d[\\d.]*(?:-?[a-z]{1,2}|-(?:alpha|beta|rc|preview)[\\d.]*)?)?" +
    "(?:-(?:dbg|debug|intel64|(?:x86_64|i\\d86|aarch64|arm)[\\w-]*))?)$",
);

const LANGUAGES = new Map(
  INTERPRETERS.flatMap(([language, names]) =>
    names.split(" ").map((name) => [name, language] as const)
  ),
);

/** Language of a program that is an interpreter, of any version, and not one that is named after it. */
export function languageOfInterpreter(program: string): Language | undefined {
  return LANGUAGES.get(unversioned(program));
}

/** True for the name of a program that loads settings and libraries from around it: an interpreter,
 * but no shell of Unix. */
export function isInterpreter(program: string): boolean {
  const language = languageOfInterpreter(program);
  if (language === undefined || /\.[a-z]\w*$/.test(nameOf(program))) return false;
  return language !== "shell" || /^(?:pwsh|powershell)/.test(nameOf(program));
}

/** Language of the scripts that a command runs; undefined where it is unknown. */
export function languageOfCommand(programs: readonly string[]): Language | undefined {
  const parts = programs.flatMap((name) => name.split(/[^a-z]+/i));
  return [...programs, ...parts].map(languageOfInterpreter).find(Boolean);
}

/** Name of a program without its version and build: `python` for `python3.13t`, `tsx` for `tsx@4`. */
export function unversioned(program: string): string {
  return nameOf(program).replace(VERSION, "");
}
