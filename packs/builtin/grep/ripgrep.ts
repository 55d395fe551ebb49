/** Search by ripgrep, which is several times as fast as the worker. */

import { parse } from "node:path";
import { ChunkReader, createTurns, endWith, LineTooLong, readLines, withinMemory } from "#base";
import { compileGlobs, MOST_CHEAP_PATH } from "../search/globs.ts";
import type { ContentMatches, ContentRequest, FileCount } from "../search/mod.ts";
import { isClosed, isUnchanged, relativeTo } from "../search/paths.ts";
import { type Collector, createCollector, inOrder } from "./ripgrep_events.ts";

export interface RipgrepOptions {
  readonly program: string;
  /** The pattern, translated for ripgrep. */
  readonly pattern: string;
  readonly signal: AbortSignal;
  /** True if ignore files above the folder ignore it. They do not apply to a folder that is named. */
  readonly isIgnored: boolean;
}

/** Memory of ripgrep: an ignore file may be a link to a file without an end, which it would read
 * whole. */
const MOST_MEMORY = 1024 ** 3;
/** Memory of a compiled pattern, and of its states: one that needs more is for the worker. */
const PATTERN_MEMORY = ["--regex-size-limit=10M", "--dfa-size-limit=64M"];

/** Bytes of a line of ripgrep's output: the worker reads longer ones, beside the gateway. */
const MOST_LINE = 1_048_576;

/** Work that would hold the gateway up: the worker does it. */
class ForWorker extends Error {
  override readonly name = "ForWorker";
}

/** Finds the matches that the worker would find, in its order. Returns undefined where ripgrep fails,
 * or what it writes is for the worker. */
export async function searchByRipgrep(
  request: ContentRequest,
  options: RipgrepOptions,
): Promise<ContentMatches | undefined> {
  const result = await once(request, options, []);
  // A parallel search has no order. Beyond the limit, the order decides which matches stay.
  return result?.more ? await once(request, options, ["--sort=path"]) : result;
}

async function once(
  request: ContentRequest,
  { program, pattern, signal, isIgnored }: RipgrepOptions,
  more: readonly string[],
): Promise<ContentMatches | undefined> {
  const { root } = request;
  const matches = createPathTest(request);
  const create = request.want === "matches" ? createCollector : createCounter;
  const collector = create(
    request,
    (path) =>
      path.startsWith(`${root}/`) && !isClosed(path, request.closed) && isUnchanged(path) &&
      matches(path),
  );
  signal.throwIfAborted();
  const [command, ...bounds] = withinMemory(program, MOST_MEMORY);
  const child = new Deno.Command(command, {
    args: [...bounds, ...flags(request, isIgnored), ...more, "-e", pattern, "--", root],
    stdin: "null",
    stdout: "piped",
    stderr: "null",
    clearEnv: true,
    // A version manager runs what files of the folder name.
    cwd: parse(root).root,
  }).spawn();
  await using end = endWith(child, signal);
  const reader = new ChunkReader(child.stdout);
  try {
    if (!await readInto(collector, { reader, signal })) return undefined;
  } finally {
    await reader.cancel();
  }
  const full = collector.isFull();
  if (full) end.kill();
  const { code } = await child.status;
  signal.throwIfAborted();
  // Code 2 may mean one unreadable file: then ripgrep still wrote a summary.
  return full || code < 2 || collector.isComplete() ? collector.result() : undefined;
}

/** Makes the test of real paths by the globs; it throws `ForWorker` for a path that takes long. */
function createPathTest({ globs, root }: ContentRequest): (path: string) => boolean {
  const matches = compileGlobs(globs);
  return (path) => {
    const below = path.slice(root.length + 1);
    if (globs.length > 0 && below.length > MOST_CHEAP_PATH) throw new ForWorker();
    return matches(below, path.slice(path.lastIndexOf("/") + 1));
  };
}

/** Reads the output until the collector is full; false where that is for the worker. */
async function readInto(
  collector: Collector,
  { reader, signal }: { readonly reader: ChunkReader; readonly signal: AbortSignal },
): Promise<boolean> {
  const turn = createTurns(signal);
  try {
    for await (const line of readLines(reader, MOST_LINE)) {
      collector.take(line);
      await turn();
      if (collector.isFull()) break;
    }
    return true;
  } catch (error) {
    if (error instanceof LineTooLong || error instanceof ForWorker) return false;
    throw error;
  }
}

function flags(request: ContentRequest, isIgnored: boolean): string[] {
  const { hidden, ignore, pattern, context, maxFileBytes } = request;
  return [
    ...outputFlags(request),
    "--no-config",
    ...PATTERN_MEMORY,
    "--no-messages",
    "--no-mmap",
    "--crlf",
    "--no-require-git",
    "--no-ignore-global",
    "--no-ignore-exclude",
    `--max-filesize=${maxFileBytes}`,
    "--glob=!.git",
    ...(hidden ? ["--hidden"] : []),
    ...(ignore ? [] : ["--no-ignore"]),
    ...(ignore && isIgnored ? ["--no-ignore-parent"] : []),
    ...(pattern.flags.includes("i") ? ["--ignore-case"] : ["--case-sensitive"]),
    ...(pattern.multiline ? ["--multiline"] : []),
    ...(context > 0 ? [`--context=${context}`] : []),
    ...prefilter(request.globs),
  ];
}

/** Flags for the output: JSON events for matches, plain counts otherwise. */
function outputFlags({ want, pattern }: ContentRequest): string[] {
  if (want === "matches") return ["--json"];
  return [pattern.multiline ? "--count-matches" : "--count", "--null", "--with-filename"];
}

/** File types for globs that ripgrep understands the same way. Its own globs would override ignore
 * files. */
function prefilter(globs: readonly string[]): string[] {
  const includes = globs.filter((glob) => !glob.startsWith("!"));
  const names = includes.map((glob) => glob.slice(glob.lastIndexOf("/") + 1));
  if (names.length === 0 || !names.every((name) => /^\*?\.?[\w.-]+$/.test(name))) return [];
  return [...names.map((name) => `--type-add=globs:${name}`), "--type=globs"];
}

/** Makes the collector; `matches` tells whether a file is searched. */
function createCounter(
  { want, limit, base }: ContentRequest,
  matches: (path: string) => boolean,
): Collector {
  const counts: FileCount[] = [];
  const isFull = () => counts.length > limit;
  return {
    take(line) {
      const end = line.lastIndexOf("\0");
      const path = line.slice(0, end);
      if (end < 0 || !matches(path)) return;
      counts.push({
        path: relativeTo(path, base),
        count: want === "files" ? 1 : Number(line.slice(end + 1)),
      });
    },
    isFull,
    isComplete: () => false,
    result: () => ({ matches: [], counts: counts.sort(inOrder).slice(0, limit), more: isFull() }),
  };
}
