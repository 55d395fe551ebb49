/** Check by git that a file would not be committed, without running programs of the repository. */

import { basename, dirname, join } from "node:path";
import { findProgram } from "#base";

/** Settings that keep git from starting programs that the repository configures. */
const SAFE = ["core.fsmonitor=false", "core.hooksPath=/dev/null", "core.untrackedCache=false"];

/** Reason why git tracks the file or would add it, with the fix; undefined if git ignores it or there
 * is no repository. */
export function gitExposure(file: string): string | undefined {
  if (!isInRepository(dirname(file))) return undefined;
  const tracked = git(file, ["ls-files", "--error-unmatch"]);
  if (tracked === undefined) return undefined;
  if (tracked === 0) return `git tracks it: git rm --cached "${file}"`;
  if (git(file, ["check-ignore", "--quiet"]) === 0) return undefined;
  return "git does not ignore it: find the rule with git check-ignore -v, and remove it";
}

function isInRepository(folder: string): boolean {
  for (let at = folder;; at = dirname(at)) {
    try {
      Deno.lstatSync(join(at, ".git"));
      return true;
    } catch {
      if (dirname(at) === at) return false;
    }
  }
}

/** Runs git; returns its exit code, undefined without git. */
function git(file: string, words: readonly string[]): number | undefined {
  const program = findProgram("git");
  if (program === undefined) return undefined;
  const config = SAFE.flatMap((setting) => ["-c", setting]);
  const { code } = new Deno.Command(program, {
    args: ["--no-optional-locks", ...config, ...words, "--", basename(file)],
    cwd: dirname(file),
    clearEnv: true,
    env: { LC_ALL: "C" },
    stdin: "null",
    stdout: "null",
    stderr: "null",
  }).outputSync();
  return code;
}
