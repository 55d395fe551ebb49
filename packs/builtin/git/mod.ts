/** The `git` pack. */

import * as p from "../kit/params.ts";
import {
  type BuiltinTool,
  createBuiltinPack,
  createFolders,
  defineTool,
  findOnPath,
  type ToolContext,
  type ToolDefinition,
} from "../kit/mod.ts";
import type { BuiltinDeps } from "../kit/deps.ts";
import { PackError } from "../../errors.ts";
import type { Pack } from "../../types.ts";
import type { GitProgram } from "./process.ts";
import type { Repository, RepositoryDeps } from "./repository.ts";
import { BLAME, BRANCHES, DIFF, FILE, LOG, SHOW, STATUS } from "./schemas.ts";
import type { GitSettings } from "./settings.ts";

const REPO = p.byDefault(p.text("A folder of the repository, relative to the project"), ".");
const FILE_OF = p.text("A file or folder, relative to the repository", { examples: ["README.md"] });
const REVISION = p.byDefault(p.text("A commit: an id, a branch, a tag, HEAD~2"), "HEAD");
const CONTEXT = p.byDefault(p.whole("Lines around each change", { minimum: 0, maximum: 1_000 }), 3);

function limit(standard: number) {
  return p.byDefault(p.whole("How many at most", { minimum: 1, maximum: 10_000 }), standard);
}

/** Makes the pack. */
export function createGitPack(settings: GitSettings, deps: BuiltinDeps): Pack {
  const { project, environment, closed } = deps;
  const { allowed, timeoutMs, maxOutputBytes } = settings;
  function program(): GitProgram {
    const path = findOnPath("git", { environment, project });
    if (path !== undefined) {
      return { path, home: environment.HOME ?? "/", timeoutMs, maxOutputBytes };
    }
    const message = "Cannot ask git: it is not installed: install it, then retry";
    throw new PackError("unavailable", message, { details: { reason: "command not found" } });
  }
  const folders = createFolders({ project, allowed, closed, key: "packs.git.allowed" });
  const parts = { folders, program };
  const tools = [...stateTools(parts), ...historyTools(parts), ...fileTools(parts)];
  return createBuiltinPack("git", tools, {
    description: "Reads the history and state of git repositories",
  });
}

interface Reading<P extends p.Params> extends Omit<ToolDefinition<P>, "effect" | "run"> {
  readonly read: (
    repository: Repository,
    args: Parameters<ToolDefinition<P>["run"]>[0],
  ) => Promise<object>;
}

function reading<P extends p.Params & { readonly repo: typeof REPO }>(
  { read, ...definition }: Reading<P>,
  deps: RepositoryDeps,
): BuiltinTool {
  return defineTool({
    ...definition,
    effect: "read",
    async run(args, { signal }: ToolContext) {
      const { openRepository } = await import("./repository.ts");
      const { repo } = args as { readonly repo: string };
      return await read(await openRepository(repo, deps, signal), args);
    },
  });
}

function stateTools(deps: RepositoryDeps): BuiltinTool[] {
  return [
    reading({
      name: "status",
      description: "The branch, and what is staged, changed and untracked",
      params: { repo: REPO, file: p.optional(FILE_OF), limit: limit(500) },
      returns: STATUS,
      examples: ["git.status().changes"],
      read: async (repository, args) => (await import("./changes.ts")).status(repository, args),
    }, deps),
    reading({
      name: "diff",
      description: "What has changed: files with counts, and the unified diff as text\n" +
        "Without from and to: the work tree against the index. With from: the work tree against " +
        "that commit; with both: commit against commit.",
      params: {
        repo: REPO,
        from: p.optional(p.text("A commit to compare with", { examples: ["HEAD~1"] })),
        to: p.optional(p.text("The newer commit", { examples: ["HEAD"] })),
        staged: p.flag("What is staged, not the work tree"),
        file: p.optional(FILE_OF),
        context: CONTEXT,
      },
      returns: DIFF,
      examples: ['git.diff(from="HEAD~1").files', "git.diff(staged=True).text"],
      read: async (repository, args) => (await import("./changes.ts")).diff(repository, args),
    }, deps),
    reading({
      name: "branches",
      description: "Branches with their last commits, and how far they are from their upstream",
      params: {
        repo: REPO,
        kind: p.choice("Which", ["local", "remote", "all"]),
        limit: limit(200),
      },
      returns: BRANCHES,
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
      params: {
        repo: REPO,
        revision: p.byDefault(p.text("Where to begin, or a range as in main..HEAD"), "HEAD"),
        file: p.optional(FILE_OF),
        author: p.optional(p.text("Part of the author's name or address")),
        message: p.optional(p.text("Part of the message")),
        since: p.optional(p.text("Not before", { examples: ["2 weeks ago"] })),
        until: p.optional(p.text("Not after", { examples: ["2026-01-31"] })),
        limit: limit(20),
        skip: p.byDefault(p.whole("How many to pass over", { minimum: 0 }), 0),
      },
      returns: LOG,
      examples: ["git.log(limit=5).commits", 'git.log(file="README.md", since="1 year ago")'],
      read: async (repository, args) => (await import("./history.ts")).log(repository, args),
    }, deps),
    reading({
      name: "show",
      description: "One commit: its message, its files with counts, and its diff as text",
      params: { repo: REPO, revision: REVISION, file: p.optional(FILE_OF), context: CONTEXT },
      returns: SHOW,
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
      params: { repo: REPO, file: FILE_OF, revision: REVISION },
      returns: FILE,
      examples: ['git.file(file="README.md", revision="HEAD").text'],
      read: async (repository, args) => (await import("./history.ts")).fileAt(repository, args),
    }, deps),
    reading({
      name: "blame",
      description: "Who wrote each line of a file, when and in which commit",
      params: {
        repo: REPO,
        file: FILE_OF,
        revision: REVISION,
        first: p.byDefault(p.whole("The first line", { minimum: 1 }), 1),
        limit: limit(500),
      },
      returns: BLAME,
      examples: ['git.blame(file="README.md", limit=10).lines'],
      read: async (repository, args) => (await import("./history.ts")).blame(repository, args),
    }, deps),
  ];
}
