/** Transfer of secrets from the files of other clients to `secrets.yaml`. */

import { spawnSync } from "node:child_process";
import { basename, dirname, join, relative } from "node:path";
import { dump, load } from "js-yaml";
import { attempt, findProgram, isObject } from "#base";
import { readOwn, realPathOf } from "#files";
import { CliError } from "../error.ts";
import { exists } from "../paths.ts";
import { shellQuote } from "../shell.ts";
import { type InitPlace, writeWhole } from "./write_new.ts";

const MODE = 0o600;

export interface SecretKeeper {
  /** Number of secrets to write. */
  readonly size: number;
  /** Adds a secret; returns the reference to it. */
  keep(hint: string, about: { readonly server: string; readonly value: string }): string;
  /** Writes the secrets to the file, readable by the user only. Throws `CliError` if other users or
   * git could read it. */
  write(): void;
}

/** Reads the existing secrets. Throws `CliError` for a file that is not a map. */
export function openSecrets({ folder, root }: InitPlace): SecretKeeper {
  const file = join(folder, "secrets.yaml");
  const own = readOwn(file);
  const text = own.kind === "text" ? own.text : "";
  const existing = mapOf(text, file);
  const added = new Map<string, string>();

  function nameFor(hint: string, { server, value }: { server: string; value: string }): string {
    const plain = upper(hint);
    // The name of a header does not identify its server.
    const base = /^(AUTHORIZATION|COOKIE|TOKEN|API_?KEY|KEY|PASSWORD|SECRET)$/.test(plain)
      ? `${upper(server)}_${plain}`
      : plain;
    for (let count = 1;; count++) {
      const name = count === 1 ? base : `${base}_${count}`;
      const current = added.get(name) ??
        (Object.hasOwn(existing, name) ? existing[name] : undefined);
      if (current === undefined || current === value) return name;
    }
  }

  return {
    get size() {
      return added.size;
    },
    keep(hint, about) {
      const name = nameFor(hint, about);
      if (!Object.hasOwn(existing, name)) added.set(name, about.value);
      return `\${secret:${name}}`;
    },
    write() {
      if (added.size === 0) return;
      const problem = own.kind === "refused" ? `${own.why}: ${own.fix}` : exposure(file);
      if (problem !== undefined) {
        throw new CliError(1, `Cannot put secrets into "${file}": ${problem}`);
      }
      const lines = dump(Object.fromEntries(added), { lineWidth: -1 });
      const gap = text === "" || text.endsWith("\n") ? "" : "\n";
      const whole = `${text}${gap}${lines}`;
      mapOf(whole, file);
      writeWhole(file, whole, { root, mode: MODE });
    },
  };
}

/** Reason why others could read the file. */
function exposure(file: string): string | undefined {
  const mode = modeOf(file);
  if ((mode & 0o077) !== 0) return `others can read it: chmod 600 ${shellQuote(file)}`;
  return gitExposure(file);
}

/** Reads the mode of the file, 0 for a missing one; the write refuses links. */
function modeOf(file: string): number {
  const { mode, isSymlink } = attempt(() => Deno.lstatSync(file)) ?? {};
  return isSymlink ? 0 : mode ?? 0;
}

function mapOf(text: string, file: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = text.trim() === "" ? {} : load(text) ?? {};
    if (isObject(value)) return value;
  } catch {
    // Reported below, as for other values.
  }
  const way = 'write it as lines of "NAME: value"';
  throw new CliError(1, `Cannot add secrets to "${file}": it is not a plain map: ${way}`);
}

function upper(text: string): string {
  return text.replace(/^-+/, "").replace(/\W+/g, "_").toUpperCase();
}

/** Settings that keep git from starting programs that the repository configures, and from taking a folder
 * of the project for a repository of its own. */
const SAFE = [
  "core.fsmonitor=false",
  "core.hooksPath=/dev/null",
  "core.untrackedCache=false",
  "safe.bareRepository=explicit",
];
const ENVIRONMENT = {
  LC_ALL: "C",
  // Git would fetch an object that is missing, by a program that the repository configures.
  GIT_ALLOW_PROTOCOL: "",
  GIT_NO_LAZY_FETCH: "1",
};
/** Far above what git takes for one file: a pipe in a stranger's repository has no end. */
const LIMIT_MS = 2_000;
/** Exit codes of git after an error, and for a file that is not tracked. */
const FAILED = 128;
const TRACKED = ["--literal-pathspecs", "ls-files", "--error-unmatch"];

/** Reason why git tracks the file or would add it, with the fix; undefined if git ignores it or there
 * is no repository. */
export function gitExposure(file: string): string | undefined {
  const roots = repositoriesOf(file);
  const [nearest] = roots;
  if (nearest === undefined) return undefined;
  const why = "git does not ignore it: find the rule with git check-ignore -v, and remove it";
  for (const root of roots) {
    const code = git(file, root, TRACKED);
    if (code === undefined) return undefined;
    if (code === 0) return `git tracks it: git rm --cached ${shellQuote(file)}, in "${root}"`;
    // Git may have waited for a pipe, and would do so again.
    if (code === FAILED) return why;
  }
  // Those above add the nearest as a whole.
  return git(file, nearest, ["check-ignore", "--quiet"]) === 0 ? undefined : why;
}

/** The folders above the real place of a file that have `.git`, the nearest first. */
export function repositoriesOf(file: string): string[] {
  const roots: string[] = [];
  for (let at = realPathOf(dirname(file));; at = dirname(at)) {
    if (exists(join(at, ".git"))) roots.push(at);
    if (dirname(at) === at) return roots;
  }
}

/** Runs git in the folder that has `.git`: in a folder below, another repository could answer. Returns
 * its exit code, undefined without git. A git that had to be stopped, as one that waits for a pipe among
 * its files, fails. */
function git(file: string, root: string, words: readonly string[]): number | undefined {
  const program = findProgram("git");
  if (program === undefined) return undefined;
  const config = SAFE.flatMap((setting) => ["-c", setting]);
  const path = relative(root, join(realPathOf(dirname(file)), basename(file)));
  const args = ["--no-optional-locks", ...config, ...words, "--", `./${path}`];
  const { status } = spawnSync(program, args, {
    cwd: root,
    env: ENVIRONMENT,
    stdio: "ignore",
    timeout: LIMIT_MS,
    killSignal: "SIGKILL",
  });
  return status ?? FAILED;
}
