/** `file.search` and `file.tree`. */

import type { Caller, Folders } from "../kit/mod.ts";
import type { NameMatches, Searcher } from "../search/mod.ts";
import type { LimitedArgs, SEARCH, TREE } from "./params.ts";

export interface FindDeps extends Caller {
  readonly folders: Folders;
  readonly searcher: Searcher;
}

/** Finds files and folders by their names. */
export async function find(args: LimitedArgs<typeof SEARCH>, deps: FindDeps) {
  const { path, glob: globs, kind: of, hidden, ignored, limit } = args;
  const { path: root } = await deps.folders.existing(path, "search");
  const base = await deps.folders.base();
  const closed = await deps.folders.readRules();
  const { entries, more } = await deps.searcher.names(
    { root, base, globs, of, hidden, ignore: !ignored, depth: Infinity, limit, closed },
    deps,
  );
  return { paths: entries.map((entry) => entry.path), more };
}

/** Draws the entries of a folder as a tree. */
export async function tree(args: LimitedArgs<typeof TREE>, deps: FindDeps) {
  const { path, depth, hidden, ignored, limit } = args;
  const { path: root, label } = await deps.folders.existing(path, "list");
  const closed = await deps.folders.readRules();
  const { entries, more } = await deps.searcher.names(
    { root, base: root, globs: [], of: "any", hidden, ignore: !ignored, depth, limit, closed },
    deps,
  );
  const folders = entries.filter(({ kind }) => kind === "folder").length;
  const files = entries.length - folders;
  return { path: label, text: draw(label, entries), files, folders, more };
}

const MARKS = { file: "", folder: "/", link: "@", other: "?" } as const;

function draw(root: string, entries: NameMatches["entries"]): string {
  const lines = entries.map(({ path, kind }) => {
    const parts = path.split("/");
    return `${"  ".repeat(parts.length)}${parts.at(-1)}${MARKS[kind]}`;
  });
  return [`${root}/`, ...lines].join("\n");
}
