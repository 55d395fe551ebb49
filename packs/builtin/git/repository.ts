/** Checked repositories, and calls of git in them. */

import { join } from "node:path";
import { mapBounded } from "../kit/map_bounded.ts";
import type { Folders } from "../kit/mod.ts";
import { pathIn } from "../../closed/link_names.ts";
import { PackError } from "../../errors.ts";
import { ACTION, checkLinks } from "./links.ts";
import { checkObjects } from "./objects.ts";
import {
  callGit,
  type GitAnswer,
  type GitCall,
  type GitProgram,
  type RepositoryPlaces,
} from "./process.ts";

export interface Repository {
  /** Runs git. Throws `PackError` if it fails, and for output over the limit unless it may be cut. */
  git(args: readonly string[], options?: Pick<GitCall, "mayCut">): Promise<GitAnswer>;
  /** Files of the commits that `blame` passes over, which the configuration names. Throws `PackError`
   * for one that may not be read: git quotes a line of it in an error about its format. */
  ignoredRevisions(): Promise<string[]>;
  /** Those of some paths below the work tree that are closed to reading. */
  closedAmong(paths: readonly string[]): Promise<ReadonlySet<string>>;
  /** Those of some paths below the work tree where another repository lies now. */
  repositoriesAmong(paths: readonly string[]): Promise<ReadonlySet<string>>;
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

/** Paths that are looked up at the same time, so that other work runs meanwhile. */
const PATHS_AT_ONCE = 16;
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
  const location = await callGit(git, { cwd, signal, args: PLACES });
  if (location.code !== 0) throw noRepository(label, location.problem);
  const places = readPlaces(location.text);
  if (!places) throw noRepository(label, "its path is unusual");
  const { root, dir, shared } = places;
  // The repository's own configuration may name other folders.
  for (const path of [root, dir, shared]) await folders.existing(path, ACTION);
  await checkLinks([dir, shared], folders, signal);
  await checkObjects(join(shared, "objects"), folders);
  // In the same way as all later calls, so that the same settings are included.
  const listed = await callGit(git, { cwd: root, places, signal, args: SETTINGS });
  if (listed.code !== 0) throw noRepository(label, listed.problem);
  const call = { cwd: root, places, config: withoutFilters(fieldsOf(listed.text)), signal };
  async function run(args: readonly string[], options = {}): Promise<GitAnswer> {
    const answer = await callGit(git, { ...call, ...options, args });
    if (answer.code !== 0) throw failed(answer.problem);
    return answer;
  }
  async function among(paths: readonly string[], isSuch: (path: string) => Promise<boolean>) {
    const options = { concurrent: PATHS_AT_ONCE, signal };
    const such = await mapBounded(paths, options, (path) => isSuch(join(root, path)));
    return new Set(paths.filter((_, at) => such[at]));
  }
  return {
    git: run,
    async ignoredRevisions() {
      const { text } = await callGit(git, { ...call, args: IGNORED_REVISIONS });
      const files = fieldsOf(text).map((file) => pathIn(root, file));
      for (const file of files) await folders.existing(file, "use as blame.ignoreRevsFile");
      return files;
    },
    closedAmong: (paths) => among(paths, async (path) => !await folders.isReadable(path)),
    repositoriesAmong: (paths) => among(paths, holdsRepository),
    checkReadable: (path) => folders.checkReadable({ path: join(root, path), label: path }, "read"),
    async commit(revision) {
      checkRevision(revision);
      const name = `${revision}^{commit}`;
      const args = ["rev-parse", "--verify", "--quiet", "--end-of-options", name];
      const { text } = await callGit(git, { ...call, args });
      const id = text.trim();
      if (/^[0-9a-f]{40,64}$/.test(id)) return id;
      throw failed(`no commit "${revision}": look at git.log and git.branches`);
    },
  };
}

const PLACES = [
  ...["rev-parse", "--path-format=absolute"],
  ...["--show-toplevel", "--absolute-git-dir", "--git-common-dir"],
];

/** Names alone: a long value takes no room. */
const SETTINGS = ["config", "--list", "--name-only", "-z"];

/** Git writes `~` out, and fails where the setting is missing. */
const IGNORED_REVISIONS = ["config", "--get-all", "--type=path", "-z", "blame.ignoreRevsFile"];

/** Reads the answer to `PLACES`. Undefined for paths of several lines. */
function readPlaces(text: string): RepositoryPlaces | undefined {
  const [root, dir, shared, ...rest] = text.split("\n").slice(0, -1);
  if (root === undefined || dir === undefined || shared === undefined) return undefined;
  return rest.length > 0 ? undefined : { root, dir, shared };
}

async function holdsRepository(path: string): Promise<boolean> {
  const places = [path, join(path, ".git")];
  const [folder, inside] = await Promise.all(
    places.map((place) => Deno.lstat(place).catch(() => undefined)),
  );
  return folder?.isDirectory === true && inside !== undefined;
}

/** Fields of an answer that ends each with a null character. */
function fieldsOf(text: string): string[] {
  return text.split("\0").filter(Boolean);
}

/** Configuration that disables filters, which are programs that git starts for files. A filter may
 * have an empty name. */
function withoutFilters(keys: readonly string[]): (readonly [string, string])[] {
  const without = [...new Set(keys)].flatMap((key): (readonly [string, string])[] => {
    if (/^filter\..*\.(?:clean|smudge|process)$/s.test(key)) return [[key, ""]];
    return /^filter\..*\.required$/s.test(key) ? [[key, "false"]] : [];
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
