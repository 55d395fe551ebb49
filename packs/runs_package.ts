/** Commands that fetch a package and run it. */

import { programOf } from "./program_name.ts";

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
  const [first = "", inner] = programOf(words);
  if (RUNNERS.has(first)) return inner + 1;
  const command = Object.hasOwn(COMMANDS, first) ? COMMANDS[first] : undefined;
  const rest = words.slice(inner);
  // Options with values may precede the command.
  const at = rest.slice(0, 5).findIndex((word, at) => at > 0 && command?.test(word));
  const isScript = rest.slice(1, Math.max(at, 1)).some((word) => SCRIPTS.test(word));
  return at < 0 || isScript ? undefined : inner + at + 1;
}
