/** Programs that look for what they run in the folder where they start: package runners (`npx`,
 * `uvx`), and interpreters that load a module by its name. */

import { existsSync, statSync } from "node:fs";
import { basename, extname, resolve } from "node:path";
import type { StartedProgram, StdioServer } from "./server_config.ts";

const RUNNERS = new Set(["npx", "bunx", "uvx", "pnpx", "dlx", "pkgx", "dx"]);
/** Programs with a command that runs a package. */
const COMMANDS: Readonly<Record<string, RegExp>> = {
  npm: /^(?:exec|x)$/,
  pnpm: /^(?:dlx)$/,
  yarn: /^(?:dlx)$/,
  bun: /^(?:x)$/,
  uv: /^(?:tool)$/,
  pipx: /^(?:run)$/,
  deno: /^(?:x)$/,
};
/** Commands that run a script of the project. */
const SCRIPTS = /^(?:run|run-script|start|test|t)$/;
/** Programs that start the program after them. */
const STARTERS = new Set(["env", "corepack", "cmd", "mise", "volta", "nice", "exec"]);

/** Options of package runners without a value. */
const FLAGS =
  /^(?:-[yqs]|--(?:yes|quiet|silent|offline|isolated|prefer-offline|refresh|no(?:-.*)?))$/;
const PYTHON = /^(?:python|pypy)[\d.]*$|^py$/;
const NODE = /^(?:node|nodejs|ts-node)$/;
/** Programs that read settings of their folder, and run what these name. */
const CONFIGURED = /^(?:bun|tsx|vite-node)$/;
/** Programs of Python that load a module by its name. */
const PYTHON_SERVERS = /^(?:uvicorn|gunicorn|hypercorn|fastmcp|flask|streamlit)$/;
/** Options of package managers for another folder; they read settings of this one before. */
const ELSEWHERE = /^(?:--(?:cwd|prefix|dir)(?:=|$)|-C$)/;
/** Options of Node whose value is a module. */
const PRELOADS = /^(?:-r|--(?:require|import|loader|experimental-loader))(?:=|$)/;

/** Returns true for a server without a working directory of its own that must not start in the
 * project: a fetched package, and a server of the home folder that a module of the project could
 * stand in for. */
export function startsApart(
  { command, args, isDefaultCwd = false, isHomes = false }: StartedProgram,
): boolean {
  const words = [command, ...args];
  return isDefaultCwd && (runsPackage(words) !== undefined || (isHomes && searchesStart(words)));
}

/** Number of words before those of the package; undefined for any other command. */
export function runsPackage(words: readonly string[]): number | undefined {
  const [first = "", inner] = programOf(words);
  if (RUNNERS.has(first)) return inner + 1;
  const command = Object.hasOwn(COMMANDS, first) ? COMMANDS[first] : undefined;
  const rest = words.slice(inner);
  // Options with values may precede the command.
  const at = rest.slice(0, 5).findIndex((word, at) => at > 0 && command?.test(word));
  const isScript = rest.slice(1, Math.max(at, 1)).some((word) => SCRIPTS.test(word));
  return at < 0 || isScript ? undefined : inner + at + 1;
}

/** Returns true for a program that reads modules or settings of the folder it starts in before those
 * that it was told to run. */
function searchesStart(words: readonly string[]): boolean {
  const [first, inner] = programOf(words);
  const args = words.slice(inner + 1);
  if (PYTHON.test(first)) {
    const script = args.findIndex((word) => /^\/|^[^-].*\.pyw?$/.test(word));
    const own = script < 0 ? args : args.slice(0, script);
    return own.some((word) => /^-[A-Za-z]*[mc]$/.test(word));
  }
  if (NODE.test(first)) return args.some((word) => PRELOADS.test(word));
  if (first === "deno") return args.some((word) => /^(?:npm|jsr|https?):/.test(word));
  if (first === "uv") return searchesStartOfUv(args);
  if (PYTHON_SERVERS.test(first)) return !args.some((word) => word.startsWith("/"));
  if (/^(?:npm|pnpm|yarn)$/.test(first)) return args.some((word) => ELSEWHERE.test(word));
  return CONFIGURED.test(first);
}

/** uv reads the project in the folder that it is given, and Python the modules where it starts. */
function searchesStartOfUv(args: readonly string[]): boolean {
  const names = (option: RegExp) => args.some((word) => option.test(word));
  if (names(/^--directory(?:=|$)/)) return false;
  const python = args.findIndex((word) => PYTHON.test(word));
  return !names(/^--project(?:=|$)/) || (python >= 0 && searchesStart(args.slice(python)));
}

/** Name of the program that a command starts, and the number of words before it. */
function programOf(words: readonly string[]): readonly [name: string, at: number] {
  const name = nameOf(words[0] ?? "");
  if (!STARTERS.has(name)) return [name, 0];
  const next = words.findIndex((word, at) => at > 0 && !/^(?:[-/]|\w+=|exec$|run$)/.test(word));
  if (next < 0) return [name, 0];
  const [inner, at] = programOf(words.slice(next));
  return [inner, next + at];
}

function nameOf(word: string): string {
  return basename(word.replaceAll("\\", "/")).toLowerCase().replace(/\.(?:cmd|exe|ps1|bat)$/, "");
}

/** Arguments for a start in another folder: paths relative to the project become absolute. Paths are
 * words that begin with `.`; after the package name also existing files whose word has a slash or an
 * extension. */
export function argumentsFrom({ command, args, cwd }: StdioServer): readonly string[] {
  const start = (runsPackage([command, ...args]) ?? Infinity) - 1;
  // The value of an option is not yet the package: a file could stand in for that.
  const name = args.findIndex((word, at) => {
    return at >= start && !word.startsWith("-") && !isValue(args, at, start);
  });
  return args.map((word, at) => {
    const [, flag = "", value = word] = /^(--?[\w-]+=)(.*)$/s.exec(word) ?? [];
    const isPath = isDotted(value) || (name >= 0 && at > name && isThere(value, cwd));
    return isPath ? flag + resolve(cwd, value) : word;
  });
}

function isValue(args: readonly string[], at: number, start: number): boolean {
  const before = at > start ? args[at - 1] ?? "" : "";
  return before.startsWith("-") && !before.includes("=") && !FLAGS.test(before);
}

function isDotted(value: string): boolean {
  return /^\.{1,2}(?:[/\\]|$)/.test(value);
}

function isThere(value: string, cwd: string): boolean {
  if (/^[-/~@]|:\/\//.test(value)) return false;
  if (value.includes("/")) return existsSync(resolve(cwd, value));
  const hasExtension = extname(value) !== "";
  return hasExtension &&
    statSync(resolve(cwd, value), { throwIfNoEntry: false })?.isFile() === true;
}
