/** Commands that fetch a package and run it. */

import { nameOf, programOf, startsAnother } from "./program_name.ts";

const RUNNERS = new Set(["npx", "bunx", "uvx", "pnpx", "dlx", "pkgx", "dx", "dnx"]);
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

/** Number of words before those of the package; undefined for any other command. */
export function runsPackage(words: readonly string[]): number | undefined {
  const own = behindRunner(words);
  if (own !== undefined || !startsAnother(words[0] ?? "")) return own;
  // Values of options stand before the program: `timeout 900 npx`, `nice -n 5 npx`.
  const next = words.findIndex((word, at) => at > 0 && isRunner(nameOf(word)));
  const inner = next < 0 ? undefined : behindRunner(words.slice(next));
  return inner === undefined ? undefined : next + inner;
}

function isRunner(name: string): boolean {
  return RUNNERS.has(name) || Object.hasOwn(COMMANDS, name);
}

function behindRunner(words: readonly string[]): number | undefined {
  const [first = "", inner] = programOf(words);
  if (RUNNERS.has(first)) return inner + 1;
  const command = Object.hasOwn(COMMANDS, first) ? COMMANDS[first] : undefined;
  const rest = words.slice(inner);
  // Options with values may precede the command.
  const at = rest.slice(0, 5).findIndex((word, at) => at > 0 && command?.test(word));
  const isScript = rest.slice(1, Math.max(at, 1)).some((word) => SCRIPTS.test(word));
  return at < 0 || isScript ? undefined : inner + at + 1;
}
