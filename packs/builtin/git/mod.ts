/** The `git` pack. */

import { createSemaphore } from "#base";
import type { Params } from "../kit/params.ts";
import {
  type BuiltinTool,
  createBuiltinPack,
  createFolders,
  defineTool,
  findOnPath,
  type ToolContext,
  type ToolDefinition,
  whileNothingMoves,
} from "../kit/mod.ts";
import type { PathDeps } from "../kit/deps.ts";
import { PackError } from "../../errors.ts";
import type { Pack } from "../../types.ts";
import * as params from "./params.ts";
import type { GitProgram } from "./process.ts";
import type { Repository, RepositoryDeps } from "./repository.ts";
import * as results from "./schemas.ts";
import type { GitSettings } from "./settings.ts";

/** Makes the pack. */
export function createGitPack(settings: GitSettings, deps: PathDeps): Pack {
  const { project, home, environment, closed, moves } = deps;
  const { allowed, timeoutMs, maxOutputBytes } = settings;
  const processes = createSemaphore(PROCESSES_AT_ONCE, PROCESSES_OF_RUN);
  function program(run: string | undefined): GitProgram {
    const path = findOnPath("git", { environment, project });
    if (path !== undefined) {
      const enter = (signal: AbortSignal) => processes.acquire(signal, run);
      return { path, home: environment.HOME ?? "/", timeoutMs, maxOutputBytes, enter };
    }
    const message = "Cannot ask git: it is not installed: install it, then retry";
    throw new PackError("unavailable", message, { details: { reason: "command not found" } });
  }
  const folders = createFolders({ project, home, allowed, closed, key: "packs.git.allowed" });
  const parts = { folders, program };
  const tools = [...stateTools(parts), ...historyTools(parts), ...fileTools(parts)];
  return createBuiltinPack("git", whileNothingMoves(tools, moves), {
    description: "Reads the history and state of git repositories",
    places: createSemaphore(CALLS_AT_ONCE, CALLS_OF_RUN),
  });
}

/** Calls at the same time: each starts up to three processes, and reads megabytes of each. */
const CALLS_AT_ONCE = 4;
const CALLS_OF_RUN = 3;
/** Processes at the same time: each may take a gigabyte. */
const PROCESSES_AT_ONCE = 4;
const PROCESSES_OF_RUN = 2;

interface Reading<P extends Params> extends Omit<ToolDefinition<P>, "effect" | "run"> {
  readonly read: (
    repository: Repository,
    args: Parameters<ToolDefinition<P>["run"]>[0],
  ) => Promise<object>;
}

function reading<P extends Params & { readonly repo: typeof params.REPO }>(
  { read, ...definition }: Reading<P>,
  deps: RepositoryDeps,
): BuiltinTool {
  return defineTool({
    ...definition,
    effect: "read",
    async run(args, context: ToolContext) {
      const { openRepository } = await import("./repository.ts");
      const { repo } = args as { readonly repo: string };
      return await read(await openRepository(repo, deps, context), args);
    },
  });
}

function stateTools(deps: RepositoryDeps): BuiltinTool[] {
  return [
    reading({
      name: "status",
      description: "The branch, and what is staged, changed and untracked",
      params: params.STATUS,
      returns: results.STATUS,
      examples: ["git.status().changes"],
      read: async (repository, args) => (await import("./changes.ts")).status(repository, args),
    }, deps),
    reading({
      name: "diff",
      description: "What has changed: files with counts, and the unified diff as text\n" +
        "Without from and to: the work tree against the index. With from: the work tree against " +
        "that commit; with both: commit against commit.",
      params: params.DIFF,
      returns: results.DIFF,
      examples: ['git.diff(from="HEAD~1").files', "git.diff(staged=True).text"],
      read: async (repository, args) => (await import("./changes.ts")).diff(repository, args),
    }, deps),
    reading({
      name: "branches",
      description: "Branches with their last commits, and how far they are from their upstream",
      params: params.BRANCHES,
      returns: results.BRANCHES,
      examples: ["git.branches().branches"],
      read: async (repository, args) => (await import("./history.ts")).branches(repository, args),
    }, deps),
  ];
}

function historyTools(deps: RepositoryDeps): BuiltinTool[] {
  return [
    reading({
      name: "log",
      description: "Commits, the newest first",
      params: params.LOG,
      returns: results.LOG,
      examples: ["git.log(limit=5).commits", 'git.log(file="README.md", since="1 year ago")'],
      read: async (repository, args) => (await import("./history.ts")).log(repository, args),
    }, deps),
    reading({
      name: "show",
      description: "One commit: its message, its files with counts, and its diff as text",
      params: params.SHOW,
      returns: results.SHOW,
      examples: ['git.show(revision="HEAD").files'],
      read: async (repository, args) => (await import("./history.ts")).show(repository, args),
    }, deps),
  ];
}

function fileTools(deps: RepositoryDeps): BuiltinTool[] {
  return [
    reading({
      name: "file",
      description: "The text of a file as it was at a commit",
      params: params.FILE_AT,
      returns: results.FILE,
      examples: ['git.file(file="README.md", revision="HEAD").text'],
      read: async (repository, args) => (await import("./history.ts")).fileAt(repository, args),
    }, deps),
    reading({
      name: "blame",
      description: "Who wrote each line of a file, when and in which commit",
      params: params.BLAME,
      returns: results.BLAME,
      examples: ['git.blame(file="README.md", limit=10).lines'],
      read: async (repository, args) => (await import("./history.ts")).blame(repository, args),
    }, deps),
  ];
}
