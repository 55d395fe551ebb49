/** Checked repositories, and calls of git in them. */

import { dirname, join } from "node:path";
import { exactText } from "#base";
import { mapBounded } from "../kit/map_bounded.ts";
import type { Folders, ToolContext } from "../kit/mod.ts";
import { pathIn } from "../../closed/link_names.ts";
import { isBelow, keyOf } from "../../closed/names.ts";
import { exactOf, fieldsOf } from "./bytes.ts";
import { failed, noRepository } from "./failed.ts";
import { checkHead } from "./head.ts";
import { ACTION, checkLinks } from "./links.ts";
import { checkObjects } from "./objects.ts";
import { overridesOf, SETTINGS } from "./overrides.ts";
import {
  callGit,
  type GitAnswer,
  type GitCall,
  type GitProgram,
  type RepositoryPlaces,
} from "./process.ts";
import { commitOf } from "./revisions.ts";

export interface Repository {
  /** Runs git. Throws `PackError` if it fails, and for output over the limit unless it may be cut. */
  git(args: readonly string[], options?: Pick<GitCall, "mayCut">): Promise<GitAnswer>;
  /** Files of the commits that `blame` passes over, which the configuration names. Throws `PackError`
   * for one that may not be read: git quotes a line of it in an error about its format. */
  ignoredRevisions(): Promise<string[]>;
  /** Those of some paths below the work tree that are closed to reading. Throws `PackError` for a path
   * that leads out of it. */
  closedAmong(paths: readonly string[]): Promise<ReadonlySet<string>>;
  /** Those of some paths below the work tree where another repository lies now. */
  repositoriesAmong(paths: readonly string[]): Promise<ReadonlySet<string>>;
  /** Those of some paths below the work tree that lie behind a link there. */
  linkedAmong(paths: readonly string[]): Promise<ReadonlySet<string>>;
  /** Throws if a path below the work tree is closed to reading. */
  checkReadable(path: string): Promise<void>;
  /** Id of the commit that a revision names. Throws `PackError`. */
  commit(revision: string): Promise<string>;
}

export interface RepositoryDeps {
  readonly folders: Folders;
  /** Program for the calls of a run. Throws if git is missing. */
  readonly program: (run: string | undefined) => GitProgram;
}

/** Paths that are looked up at the same time, so that other work runs meanwhile. */
const PATHS_AT_ONCE = 16;

/** Opens the repository of a folder. Throws `PackError` for one that leads outside the allowed
 * folders. */
export async function openRepository(
  folder: string,
  { folders, program }: RepositoryDeps,
  { signal, run: caller }: Pick<ToolContext, "signal" | "run">,
): Promise<Repository> {
  const { path: cwd, label } = await folders.existing(folder, "read the repository of");
  const git = program(caller);
  const location = await callGit(git, { cwd, signal, args: PLACES });
  if (location.code !== 0) throw noRepository(label, location.problem);
  const places = readPlaces(location.bytes);
  if (!places) throw noRepository(label, "its path is no UTF-8, or has several lines: move it");
  const { root, dir, shared } = places;
  // Git before 2.38 does not know safe.bareRepository.
  if (isBelow(cwd, dir)) throw noRepository(label, "it has no .git: clone it, and ask there");
  // The repository's own configuration may name other folders.
  for (const path of [root, dir, shared]) await folders.existing(path, ACTION);
  await checkLinks([dir, shared], folders, signal);
  checkHead(places);
  await checkObjects(join(shared, "objects"), folders);
  // In the same way as all later calls, so that the same settings are included.
  let call: Omit<GitCall, "args"> = { cwd: root, places, signal };
  const ask = (args: readonly string[]) => callGit(git, { ...call, args });
  const listed = await ask(SETTINGS);
  if (listed.code !== 0) throw noRepository(label, listed.problem);
  call = { ...call, config: await overridesOf(listed.bytes, { folders, root, ask }) };
  async function run(args: readonly string[], options = {}): Promise<GitAnswer> {
    const answer = await callGit(git, { ...call, ...options, args });
    if (answer.code !== 0) throw failed(answer.problem);
    return answer;
  }
  async function among(paths: readonly string[], isSuch: (path: string) => Promise<boolean>) {
    const options = { concurrent: PATHS_AT_ONCE, signal };
    const such = await mapBounded(paths, options, (path) => isSuch(join(root, checkName(path))));
    return new Set(paths.filter((_, at) => such[at]));
  }
  return {
    git: run,
    async ignoredRevisions() {
      const { bytes } = await ask(IGNORED_REVISIONS);
      const files = fieldsOf(bytes).filter(Boolean).map((file) => {
        const name = exactOf(file);
        if (name === undefined) throw failed("blame.ignoreRevsFile is no UTF-8: rename the file");
        return pathIn(root, name);
      });
      for (const file of files) await folders.existing(file, "use as blame.ignoreRevsFile");
      return files;
    },
    closedAmong: (paths) => among(paths, async (path) => !await folders.isReadable(path)),
    repositoriesAmong: (paths) => among(paths, holdsRepository),
    async linkedAmong(paths) {
      const folders = new Set(paths.map(dirname).filter((folder) => folder !== "."));
      const linked = await among([...folders], isLinked);
      return new Set(paths.filter((path) => linked.has(dirname(path))));
    },
    checkReadable: (path) => folders.checkReadable({ path: join(root, path), label: path }, "read"),
    commit: (revision) => commitOf(revision, ask),
  };
}

const PLACES = [
  "rev-parse",
  "--path-format=absolute",
  "--show-toplevel",
  "--absolute-git-dir",
  "--git-common-dir",
];

/** Git writes `~` out, and fails where the setting is missing. */
const IGNORED_REVISIONS = ["config", "--get-all", "--type=path", "-z", "blame.ignoreRevsFile"];

/** Reads the answer to `PLACES`. Undefined for paths of several lines, or of other bytes than UTF-8. */
function readPlaces(bytes: Uint8Array): RepositoryPlaces | undefined {
  const [root, dir, shared, ...rest] = exactText(bytes)?.split("\n").slice(0, -1) ?? [];
  if (root === undefined || dir === undefined || shared === undefined) return undefined;
  return rest.length > 0 ? undefined : { root, dir, shared };
}

/** Returns a path below the work tree. Throws `PackError` for one that leads elsewhere: git adds no such
 * name to its index, but reads the files of one that stands there. */
function checkName(path: string): string {
  const parts = path.replace(/\/$/, "").split("/");
  if (!parts.some((part) => NO_NAMES.has(part.toLowerCase()))) return path;
  const name = JSON.stringify(path.slice(0, 200));
  throw failed(`the repository names ${name}, which is no path below its work tree: clone it anew`);
}

/** Parts that no path in a repository has. */
const NO_NAMES = new Set(["", ".", "..", ".git"]);

async function holdsRepository(path: string): Promise<boolean> {
  const places = [path, join(path, ".git")];
  const [folder, inside] = await Promise.all(
    places.map((place) => Deno.lstat(place).catch(() => undefined)),
  );
  return folder?.isDirectory === true && inside !== undefined;
}

/** True if a folder is a link, or lies behind one. The work tree's own path has none. */
async function isLinked(folder: string): Promise<boolean> {
  const real = await Deno.realPath(folder).catch(() => folder);
  return keyOf(real) !== keyOf(folder);
}

/** Arguments that limit a command to a file or folder and exclude closed paths, also others: each is
 * an argument of git. */
export function filesOf(file: string | undefined, closed: readonly string[] = []): string[] {
  if (file?.includes("\0") || file?.startsWith("/")) {
    throw failed(`"${file}" is not a path below the repository`);
  }
  const subpath = file === undefined || file === "." ? "." : join(".", file);
  return [
    "--",
    `:(top,literal)${subpath === "." ? "" : subpath}`,
    ...CLOSED.map((glob) => `:(top,exclude,icase,glob)${glob}`),
    ...closed,
  ];
}

/** Paths that are closed in every repository. */
const CLOSED = [
  "**/secrets.y*ml",
  "**/*.before-toolscript",
  ...["cache", "credentials", "run", "stats", "tmp"].map((name) => `**/.onetool/${name}/**`),
];
