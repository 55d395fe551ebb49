/** A repository that may be read, and calls of git in it. */

import { join, resolve } from "node:path";
import type { Folders } from "../kit/mod.ts";
import { PackError } from "../../errors.ts";
import { callGit, type GitAnswer, type GitProgram } from "./process.ts";

export interface Repository {
  /** The real path of its work tree. */
  readonly root: string;
  /** Relative to the project. */
  readonly shown: string;
  /** Runs git; throws `PackError` where it fails. */
  git(args: readonly string[]): Promise<GitAnswer>;
  /** Whether a path below the work tree is closed to reading. */
  isClosed(path: string): Promise<boolean>;
  /** Throws where a path below the work tree is closed to reading. */
  checkReadable(path: string): Promise<void>;
  /** The id of the commit that a revision names. */
  commit(revision: string): Promise<string>;
}

export interface RepositoryDeps {
  readonly folders: Folders;
  /** Throws where git is missing. */
  readonly program: () => GitProgram;
}

/** What is set for all of them stands in git's environment. */
const MAX_FILTERS = 1_000;

/** Opens the repository that a folder lies in. */
export async function openRepository(
  folder: string,
  { folders, program }: RepositoryDeps,
  signal: AbortSignal,
): Promise<Repository> {
  const { path: cwd, shown } = await folders.existing(folder, "read the repository of");
  const git = program();
  const [found, listed] = await Promise.all([
    callGit(git, { cwd, signal, args: PLACES }),
    callGit(git, { cwd, signal, args: ["config", "--list", "-z"] }),
  ]);
  if (found.code !== 0 || listed.code !== 0) {
    throw noRepository(shown, found.problem || listed.problem);
  }
  const places = found.text.split("\n").slice(0, -1);
  const [root] = places;
  if (places.length !== 3 || root === undefined) throw noRepository(shown, "its path is unusual");
  // The repository's own configuration may lead elsewhere.
  for (const path of places) {
    await folders.existing(path, "read the repository at");
    for (const name of QUOTED) await checkLink(join(path, name), folders);
  }
  const own = readConfig(listed.text);
  for (const [key, value] of own) {
    // Git quotes a line of this file where it is not what it should be.
    if (key === "blame.ignorerevsfile" && value !== "") {
      await folders.existing(resolve(root, value), "use as blame.ignoreRevsFile");
    }
  }
  const config = withoutFilters(own.map(([key]) => key));
  async function run(args: readonly string[]): Promise<GitAnswer> {
    const answer = await callGit(git, { cwd: root ?? cwd, args, config, signal });
    if (answer.code !== 0) throw failed(answer.problem);
    return answer;
  }
  return {
    root,
    shown: folders.show(root),
    git: run,
    isClosed: async (path) => !await folders.isReadable(join(root, path)),
    checkReadable: (path) => folders.checkReadable({ path: join(root, path), shown: path }, "read"),
    async commit(revision) {
      checkRevision(revision);
      const name = `${revision}^{commit}`;
      const args = ["rev-parse", "--verify", "--quiet", "--end-of-options", name];
      const { text } = await callGit(git, { cwd: root, args, config, signal });
      const id = text.trim();
      if (/^[0-9a-f]{40,64}$/.test(id)) return id;
      throw failed(`no commit "${revision}": look at git.log and git.branches`);
    },
  };
}

/** Git shows a line of these where it is not what it should be. */
const QUOTED = ["packed-refs", "shallow"];

/** A link leads where the caller may read, or is not followed. */
async function checkLink(path: string, folders: Folders): Promise<void> {
  const info = await Deno.lstat(path).catch(() => undefined);
  if (info?.isSymlink) await folders.existing(path, "read the repository at");
}

const PLACES = [
  ...["rev-parse", "--path-format=absolute"],
  ...["--show-toplevel", "--absolute-git-dir", "--git-common-dir"],
];

/** Keys and values of `git config --list -z`. */
function readConfig(text: string): [string, string][] {
  return text.split("\0").filter(Boolean).map((entry) => {
    const end = entry.indexOf("\n");
    return end < 0 ? [entry, ""] : [entry.slice(0, end), entry.slice(end + 1)];
  });
}

/** Filters are programs that git starts for files; here they are none. */
function withoutFilters(keys: readonly string[]): (readonly [string, string])[] {
  const without = [...new Set(keys)].flatMap((key): (readonly [string, string])[] => {
    if (/^filter\..+\.(?:clean|smudge|process)$/s.test(key)) return [[key, ""]];
    return /^filter\..+\.required$/s.test(key) ? [[key, "false"]] : [];
  });
  // One that is left would be started.
  if (without.length > MAX_FILTERS) throw failed("its configuration names too many filters");
  return without;
}

/** A revision is a name, never an option. */
function checkRevision(revision: string): void {
  if (revision.length <= 500 && /^[^-\s\0][^\s\0]*$/.test(revision)) return;
  const why = "a revision does not begin with - and has no white space";
  throw new PackError("invalid_arguments", `Cannot use ${JSON.stringify(revision)}: ${why}`);
}

/** Options that limit a command to files, and keep out what is closed. */
export function filesOf(file: string | undefined, closed: readonly string[] = []): string[] {
  if (file?.includes("\0") || file?.startsWith("/")) {
    throw failed(`"${file}" is no path below the repository`);
  }
  const named = file === undefined || file === "." ? "." : join(".", file);
  return [
    "--",
    `:(top,literal)${named === "." ? "" : named}`,
    ...CLOSED.map((glob) => `:(top,exclude,icase,glob)${glob}`),
    ...closed.map((path) => `:(top,exclude,literal)${path}`),
  ];
}

/** What is closed in every repository: git need not even look there. */
const CLOSED = [
  "**/secrets.y*ml",
  ...["cache", "credentials", "run", "stats", "tmp"].map((name) => `**/.onetool/${name}/**`),
];

function noRepository(shown: string, problem: string): PackError {
  const reason = problem || "git cannot read it";
  return new PackError("tool_error", `Cannot read the repository of "${shown}": ${reason}`);
}

function failed(problem: string): PackError {
  return new PackError("tool_error", `Cannot ask git: ${problem || "it failed"}`);
}
