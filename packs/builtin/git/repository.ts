/** Checked repositories, and calls of git in them. */

import { join, resolve } from "node:path";
import type { Folders } from "../kit/mod.ts";
import { PackError } from "../../errors.ts";
import { checkLink, checkObjects } from "./objects.ts";
import { callGit, type GitAnswer, type GitProgram, type RepositoryPlaces } from "./process.ts";

export interface Repository {
  /** Runs git. Throws `PackError` if it fails. */
  git(args: readonly string[]): Promise<GitAnswer>;
  /** True if a path below the work tree is closed to reading. */
  isClosed(path: string): Promise<boolean>;
  /** Throws if a path below the work tree is closed to reading. */
  checkReadable(path: string): Promise<void>;
  /** Id of the commit that a revision names. Throws `PackError`. */
  commit(revision: string): Promise<string>;
}

export interface RepositoryDeps {
  readonly folders: Folders;
  /** Throws if git is missing. */
  readonly program: () => GitProgram;
}

/** Limit of filters: each takes variables in git's environment. */
const MAX_FILTERS = 1_000;

/** Opens the repository of a folder. Throws `PackError` for one that leads outside the allowed
 * folders. */
export async function openRepository(
  folder: string,
  { folders, program }: RepositoryDeps,
  signal: AbortSignal,
): Promise<Repository> {
  const { path: cwd, label } = await folders.existing(folder, "read the repository of");
  const git = program();
  const [location, listed] = await Promise.all([
    callGit(git, { cwd, signal, args: PLACES }),
    callGit(git, { cwd, signal, args: ["config", "--list", "-z"] }),
  ]);
  if (location.code !== 0 || listed.code !== 0) {
    throw noRepository(label, location.problem || listed.problem);
  }
  const places = readPlaces(location.text);
  if (!places) throw noRepository(label, "its path is unusual");
  const { root, shared } = places;
  // The repository's own configuration may name other folders.
  for (const path of Object.values(places)) {
    await folders.existing(path, "read the repository at");
    for (const name of QUOTED) await checkLink(join(path, name), folders);
  }
  await checkObjects(join(shared, "objects"), folders);
  const own = readConfig(listed.text);
  for (const [key, value] of own) {
    // Git quotes a line of this file in an error about its format.
    if (key === "blame.ignorerevsfile" && value !== "") {
      await folders.existing(resolve(root, value), "use as blame.ignoreRevsFile");
    }
  }
  const config = withoutFilters(own.map(([key]) => key));
  async function run(args: readonly string[]): Promise<GitAnswer> {
    const answer = await callGit(git, { cwd: root, args, places, config, signal });
    if (answer.code !== 0) throw failed(answer.problem);
    return answer;
  }
  return {
    git: run,
    isClosed: async (path) => !await folders.isReadable(join(root, path)),
    checkReadable: (path) => folders.checkReadable({ path: join(root, path), label: path }, "read"),
    async commit(revision) {
      checkRevision(revision);
      const name = `${revision}^{commit}`;
      const args = ["rev-parse", "--verify", "--quiet", "--end-of-options", name];
      const { text } = await callGit(git, { cwd: root, args, places, config, signal });
      const id = text.trim();
      if (/^[0-9a-f]{40,64}$/.test(id)) return id;
      throw failed(`no commit "${revision}": look at git.log and git.branches`);
    },
  };
}

/** Files of which git quotes a line in an error about their format. */
const QUOTED = ["HEAD", "packed-refs", "shallow"];

const PLACES = [
  ...["rev-parse", "--path-format=absolute"],
  ...["--show-toplevel", "--absolute-git-dir", "--git-common-dir"],
];

/** Reads the answer to `PLACES`. Undefined for paths of several lines. */
function readPlaces(text: string): RepositoryPlaces | undefined {
  const [root, dir, shared, ...rest] = text.split("\n").slice(0, -1);
  if (root === undefined || dir === undefined || shared === undefined) return undefined;
  return rest.length > 0 ? undefined : { root, dir, shared };
}

/** Keys and values of `git config --list -z`. */
function readConfig(text: string): [string, string][] {
  return text.split("\0").filter(Boolean).map((entry) => {
    const end = entry.indexOf("\n");
    return end < 0 ? [entry, ""] : [entry.slice(0, end), entry.slice(end + 1)];
  });
}

/** Configuration that disables filters, which are programs that git starts for files. */
function withoutFilters(keys: readonly string[]): (readonly [string, string])[] {
  const without = [...new Set(keys)].flatMap((key): (readonly [string, string])[] => {
    if (/^filter\..+\.(?:clean|smudge|process)$/s.test(key)) return [[key, ""]];
    return /^filter\..+\.required$/s.test(key) ? [[key, "false"]] : [];
  });
  // A filter beyond the limit would be started.
  if (without.length > MAX_FILTERS) throw failed("its configuration names too many filters");
  return without;
}

/** Throws for a revision that could be an option. */
function checkRevision(revision: string): void {
  if (revision.length <= 500 && /^[^-\s\0][^\s\0]*$/.test(revision)) return;
  const why = "a revision does not begin with - and has no white space";
  throw new PackError("invalid_arguments", `Cannot use ${JSON.stringify(revision)}: ${why}`);
}

/** Arguments that limit a command to a file or folder and exclude closed paths. */
export function filesOf(file: string | undefined, closed: readonly string[] = []): string[] {
  if (file?.includes("\0") || file?.startsWith("/")) {
    throw failed(`"${file}" is not a path below the repository`);
  }
  const subpath = file === undefined || file === "." ? "." : join(".", file);
  return [
    "--",
    `:(top,literal)${subpath === "." ? "" : subpath}`,
    ...CLOSED.map((glob) => `:(top,exclude,icase,glob)${glob}`),
    ...closed.map((path) => `:(top,exclude,literal)${path}`),
  ];
}

/** Paths that are closed in every repository. */
const CLOSED = [
  "**/secrets.y*ml",
  ...["cache", "credentials", "run", "stats", "tmp"].map((name) => `**/.onetool/${name}/**`),
];

function noRepository(label: string, problem: string): PackError {
  const reason = problem || "git cannot read it";
  return new PackError("tool_error", `Cannot read the repository of "${label}": ${reason}`);
}

function failed(problem: string): PackError {
  return new PackError("tool_error", `Cannot ask git: ${problem || "it failed"}`);
}
