/** Asks git whether a file would be committed, without running what the repository configures. */

import { basename, dirname, join } from "node:path";
import { findProgram } from "#sandbox";

/** In a repository that somebody else made, these would start its programs. */
const SAFE = ["core.fsmonitor=false", "core.hooksPath=/dev/null", "core.untrackedCache=false"];

/** Reason why git has the file or would take it, with the way out; undefined where it would not, or
 * where there is no repository. */
export function gitExposure(file: string): string | undefined {
  if (!isInRepository(dirname(file))) return undefined;
  const tracked = git(file, ["ls-files", "--error-unmatch"]);
  if (tracked === undefined) return undefined;
  if (tracked === 0) return `git tracks it: git rm --cached "${file}"`;
  if (git(file, ["check-ignore", "--quiet"]) === 0) return undefined;
  return "git does not ignore it: see why with git check-ignore -v, and take back that rule";
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

/** The exit code; undefined where there is no git. */
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
