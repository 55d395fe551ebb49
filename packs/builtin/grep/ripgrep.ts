/** The same search by ripgrep, which is several times as fast. */

import { endWith } from "#sandbox";
import { TextLineStream } from "./text_line_stream.ts";
import { compileGlobs } from "../search/globs.ts";
import type { ContentFound, ContentRequest } from "../search/mod.ts";
import { isClosed } from "../search/closed.ts";
import { isUnchanged } from "../search/paths.ts";
import { createCounter } from "./ripgrep_counts.ts";
import { createCollector } from "./ripgrep_events.ts";

export interface RipgrepOptions {
  readonly program: string;
  /** The pattern in ripgrep's terms. */
  readonly pattern: string;
  readonly signal: AbortSignal;
  /** Whether ignore files above the folder leave it out: who names it wants it nonetheless. */
  readonly isLeftOut: boolean;
}

/** What the worker would find, in its order; undefined where ripgrep cannot say. */
export async function searchByRipgrep(
  request: ContentRequest,
  options: RipgrepOptions,
): Promise<ContentFound | undefined> {
  const found = await once(request, options, []);
  // In parallel it finds others first each time: over the limit, only the order tells which stay.
  return found?.more ? await once(request, options, ["--sort=path"]) : found;
}

async function once(
  request: ContentRequest,
  { program, pattern, signal, isLeftOut }: RipgrepOptions,
  more: readonly string[],
): Promise<ContentFound | undefined> {
  const { root } = request;
  const lets = compileGlobs(request.globs);
  const create = request.want === "matches" ? createCollector : createCounter;
  const collector = create(
    request,
    (path) =>
      path.startsWith(`${root}/`) && !isClosed(path, request.closed) && isUnchanged(path) &&
      lets(path.slice(root.length + 1), path.slice(path.lastIndexOf("/") + 1)),
  );
  signal.throwIfAborted();
  const child = new Deno.Command(program, {
    args: [...flags(request, isLeftOut), ...more, "-e", pattern, "--", root],
    stdin: "null",
    stdout: "piped",
    stderr: "null",
    clearEnv: true,
  }).spawn();
  await using end = endWith(child, signal);
  const text = child.stdout.pipeThrough(new TextDecoderStream());
  for await (const line of text.pipeThrough(new TextLineStream())) {
    collector.take(line);
    if (collector.isFull()) break;
  }
  const full = collector.isFull();
  if (full) end.kill();
  const { code } = await child.status;
  signal.throwIfAborted();
  // 2 also where a single file could not be read: then there is a summary nonetheless.
  return full || code < 2 || collector.isComplete() ? collector.found() : undefined;
}

function flags(request: ContentRequest, isLeftOut: boolean): string[] {
  const { hidden, ignore, pattern, context, maxFileBytes } = request;
  return [
    ...outputFlags(request),
    "--no-config",
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
    ...(ignore && isLeftOut ? ["--no-ignore-parent"] : []),
    ...(pattern.flags.includes("i") ? ["--ignore-case"] : ["--case-sensitive"]),
    ...(pattern.multiline ? ["--multiline"] : []),
    ...(context > 0 ? [`--context=${context}`] : []),
    ...prefilter(request.globs),
  ];
}

/** Events for each line are many where only their number is asked for. */
function outputFlags({ want, pattern }: ContentRequest): string[] {
  if (want === "matches") return ["--json"];
  return [pattern.multiline ? "--count-matches" : "--count", "--null", "--with-filename"];
}

/** Kinds of files by their names, where globs say no more about names than ripgrep understands
 * alike. Ripgrep's own globs would bring back what ignore files leave out. */
function prefilter(globs: readonly string[]): string[] {
  const takeIn = globs.filter((glob) => !glob.startsWith("!"));
  const names = takeIn.map((glob) => glob.slice(glob.lastIndexOf("/") + 1));
  if (names.length === 0 || !names.every((name) => /^\*?\.?[\w.-]+$/.test(name))) return [];
  return [...names.map((name) => `--type-add=asked:${name}`), "--type=asked"];
}
