/** Package runners (`npx`, `uvx`), which fetch a package and run it. */

import { existsSync, statSync } from "node:fs";
import { basename, extname, resolve } from "node:path";
import type { StdioServer } from "./server_config.ts";

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

/** Returns true for a server that is a fetched package and configures no working directory. */
export function startsApart({ command, args, isDefaultCwd = false }: StdioServer): boolean {
  return isDefaultCwd && runsPackage([command, ...args]) !== undefined;
}

/** Number of words before those of the package; undefined for any other command. */
export function runsPackage(words: readonly string[]): number | undefined {
  const first = programOf(words[0] ?? "");
  if (RUNNERS.has(first)) return 1;
  if (STARTERS.has(first)) {
    const next = words.findIndex((word, at) => at > 0 && !/^(?:[-/]|\w+=|exec$|run$)/.test(word));
    const inner = next < 0 ? undefined : runsPackage(words.slice(next));
    return inner === undefined ? undefined : next + inner;
  }
  const command = Object.hasOwn(COMMANDS, first) ? COMMANDS[first] : undefined;
  // Options with values may precede the command.
  const at = words.slice(0, 5).findIndex((word, at) => at > 0 && command?.test(word));
  const isScript = words.slice(1, Math.max(at, 1)).some((word) => SCRIPTS.test(word));
  return at < 0 || isScript ? undefined : at + 1;
}

function programOf(word: string): string {
  return basename(word.replaceAll("\\", "/")).toLowerCase().replace(/\.(?:cmd|exe|ps1|bat)$/, "");
}

/** Arguments for a start in another folder: paths relative to the project become absolute. Paths are
 * words that begin with `.`; after the package name also existing files whose word has a slash or an
 * extension. */
export function argumentsFrom({ command, args, cwd }: StdioServer): readonly string[] {
  const start = (runsPackage([command, ...args]) ?? 1) - 1;
  const name = args.findIndex((word, at) => at >= start && !word.startsWith("-"));
  return args.map((word, at) => {
    const [, flag = "", value = word] = /^(--?[\w-]+=)(.*)$/s.exec(word) ?? [];
    const isPath = isDotted(value) || (name >= 0 && at > name && isThere(value, cwd));
    return isPath ? flag + resolve(cwd, value) : word;
  });
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
