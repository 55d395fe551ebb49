/** The `grep` pack. */

import { createSemaphore, type JsonObject } from "#base";
import * as p from "../kit/params.ts";
import {
  createBuiltinPack,
  createFolders,
  defineTool,
  findOnPath,
  whileNothingMoves,
} from "../kit/mod.ts";
import type { PathDeps } from "../kit/deps.ts";
import { createSearcher } from "../search/mod.ts";
import type { Pack } from "../../types.ts";
import { createEngine, type Engine } from "./engine.ts";
import { PATTERN, WHERE } from "./params.ts";
import type { GrepSettings } from "./settings.ts";
import { list, MORE, object, TEXT, WHOLE } from "../kit/schemas.ts";

/** Calls at the same time: each may start a process, which takes all processors. */
const CALLS_AT_ONCE = 4;
const CALLS_OF_RUN = 3;

/** Makes the pack. */
export function createGrepPack(settings: GrepSettings, deps: PathDeps): Pack {
  const { project, home, environment, closed, moves } = deps;
  const searcher = createSearcher(settings);
  const engine = createEngine({
    settings,
    searcher,
    folders: createFolders({ ...settings, project, home, closed, key: "packs.grep.allowed" }),
    ripgrep: settings.ripgrep === "never"
      ? () => undefined
      : () => findOnPath("rg", { environment, project }),
  });
  const limit = (standard: number) =>
    p.byDefault(
      p.whole("How many at most", { minimum: 1, maximum: settings.maxResults }),
      Math.min(standard, settings.maxResults),
    );
  const tools = [
    searchTool(engine, limit(200)),
    filesTool(engine, limit(1_000)),
    countTool(engine, limit(1_000)),
    namesTool(engine, limit(1_000)),
  ];
  return createBuiltinPack("grep", whileNothingMoves(tools, moves), {
    description: "Searches the contents and names of files",
    owns: [searcher],
    places: createSemaphore(CALLS_AT_ONCE, CALLS_OF_RUN),
  });
}

type Limit = ReturnType<typeof p.whole>;

function searchTool(engine: Engine, limit: Limit) {
  return defineTool({
    name: "search",
    description: "Lines that match a pattern, with their places\n" +
      "Binary files, .git and what ignore files leave out are passed over. The column is that of " +
      "the first match in the line; with multiline, each match is one result.",
    params: {
      ...PATTERN,
      ...WHERE,
      context: p.byDefault(p.whole("Lines before and after", { minimum: 0, maximum: 50 }), 0),
      limit,
    },
    returns: MATCHES,
    examples: [
      'grep.search(pattern="TODO", glob=["*.ts"], context=2)',
      'grep.search(pattern="a.b(c)", fixed=True, path="src")',
    ],
    effect: "read",
    async run(args, { signal, run }) {
      const { matches, more } = await engine.content(args, { want: "matches", signal, run });
      return { matches, more };
    },
  });
}

function filesTool(engine: Engine, limit: Limit) {
  return defineTool({
    name: "files",
    description: "Files whose contents match a pattern",
    params: { ...PATTERN, ...WHERE, limit },
    returns: FILES,
    examples: ['grep.files(pattern="\\\\bDeno\\\\.serve\\\\b", glob=["*.ts"])'],
    effect: "read",
    async run(args, { signal, run }) {
      const { counts, more } = await engine.content(args, { want: "files", signal, run });
      return { paths: counts.map(({ path }) => path), more };
    },
  });
}

function countTool(engine: Engine, limit: Limit) {
  return defineTool({
    name: "count",
    description: "How many lines of each file match a pattern; with multiline, how many matches",
    params: { ...PATTERN, ...WHERE, limit },
    returns: COUNTS,
    examples: ['grep.count(pattern="import", glob=["src/**/*.ts"])'],
    effect: "read",
    async run(args, { signal, run }) {
      const { counts, more } = await engine.content(args, { want: "counts", signal, run });
      const total = counts.reduce((sum, { count }) => sum + count, 0);
      return { files: counts, total, more };
    },
  });
}

function namesTool(engine: Engine, limit: Limit) {
  return defineTool({
    name: "names",
    description: "Files and folders by their names",
    params: { ...WHERE, kind: p.choice("What to list", ["file", "folder", "any"]), limit },
    returns: NAMES,
    examples: ['grep.names(glob=["*_test.ts"])', 'grep.names(kind="folder", path="src")'],
    effect: "read",
    run: (args, caller) => engine.names(args, caller),
  });
}

const MATCHES: JsonObject = object({
  matches: list(object({
    path: TEXT,
    line: WHOLE,
    column: WHOLE,
    text: TEXT,
    before: list(TEXT),
    after: list(TEXT),
  }, ["before", "after"])),
  more: MORE,
});
const FILES: JsonObject = object({ paths: list(TEXT), more: MORE });
const COUNTS: JsonObject = object({
  files: list(object({ path: TEXT, count: WHOLE })),
  total: WHOLE,
  more: MORE,
});
const NAMES: JsonObject = object({
  entries: list(object({
    path: TEXT,
    kind: { type: "string", enum: ["file", "folder", "link", "other"] },
  })),
  more: MORE,
});
