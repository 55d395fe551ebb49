/** The tools of the `file` pack that change nothing. */

import * as p from "../kit/params.ts";
import { type BuiltinTool, defineTool } from "../kit/mod.ts";
import type { Searcher } from "../search/mod.ts";
import { LIST, PATH, READ, SEARCH, TREE } from "./params.ts";
import * as results from "./schemas.ts";
import type { FileTurns } from "./turns.ts";
import type { WriteDeps } from "./write.ts";

export interface ReadDeps extends Pick<WriteDeps, "folders" | "settings"> {
  readonly searcher: Searcher;
  readonly turns: FileTurns;
}

/** Makes the tools. */
export function readingTools(deps: ReadDeps): BuiltinTool[] {
  return [readTool(deps), infoTool(deps), listTool(deps), treeTool(deps), searchTool(deps)];
}

function limitOf({ settings }: ReadDeps, standard: number) {
  const { maxEntries: maximum } = settings;
  return p.byDefault(
    p.whole("How many at most", { minimum: 1, maximum }),
    Math.min(standard, maximum),
  );
}

function readTool(deps: ReadDeps): BuiltinTool {
  return defineTool({
    name: "read",
    description: "The text of a file, a page of lines at a time\n" +
      "UTF-8 and UTF-16 are told apart by themselves; a binary file is refused.",
    params: READ,
    returns: results.PAGE,
    examples: [
      'file.read(path="README.md").text',
      'file.read(path="src/main.ts", offset=100, limit=50, numbered=True).text',
      'file.read(path="README.md", offset=-2)',
    ],
    effect: "read",
    run: async (args, { signal, run }) =>
      await (await import("./read.ts")).readPage(args, { ...deps, signal, run }),
  });
}

function infoTool({ folders }: ReadDeps): BuiltinTool {
  return defineTool({
    name: "info",
    description: "Kind, size, times and mode of a file or folder, links followed",
    params: { path: PATH },
    returns: results.INFO,
    examples: ['file.info(path="README.md").size'],
    effect: "read",
    run: async ({ path }) => await (await import("./read.ts")).describe(path, folders),
  });
}

function listTool(deps: ReadDeps): BuiltinTool {
  return defineTool({
    name: "list",
    description: "The entries of one folder, by name",
    params: { ...LIST, limit: limitOf(deps, 1_000) },
    returns: results.LIST,
    examples: ['file.list(path="src")'],
    effect: "read",
    run: async (args, { signal }) =>
      await (await import("./read.ts")).list(args, deps.folders, signal),
  });
}

function treeTool(deps: ReadDeps): BuiltinTool {
  return defineTool({
    name: "tree",
    description: "A folder with what it holds, drawn: folders end in /, links in @",
    params: { ...TREE, limit: limitOf(deps, 500) },
    returns: results.TREE,
    examples: ["file.tree(depth=2).text"],
    effect: "read",
    run: async (args, { signal, run }) =>
      await (await import("./find.ts")).tree(args, { ...deps, signal, run }),
  });
}

function searchTool(deps: ReadDeps): BuiltinTool {
  return defineTool({
    name: "search",
    description: "Paths of files and folders whose names match globs",
    params: { ...SEARCH, limit: limitOf(deps, 1_000) },
    returns: results.PATHS,
    examples: ['file.search(glob=["*.md", "!CHANGELOG.md"]).paths'],
    effect: "read",
    run: async (args, { signal, run }) =>
      await (await import("./find.ts")).find(args, { ...deps, signal, run }),
  });
}
