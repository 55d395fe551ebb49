/** The files of a project that trust is given to, as one hash, and the packs among them. */

import { createHash } from "node:crypto";
import { join, relative } from "node:path";
import { packPaths } from "#packs/configured";
import { attempt } from "#base";
import { readRegular } from "#files";

/** Content of `.onetool/tools/`. */
export interface ToolFiles {
  /** Undefined where the folder cannot be read whole. */
  readonly hash: string | undefined;
  /** Files that are packs, relative to the project. */
  readonly packs: readonly string[];
}

const MOST_ENTRIES = 5_000;
const MOST_BYTES = 64 * 1024 * 1024;
const MOST_DEPTH = 16;

/** Reads `.onetool/tools/` of a project: names, contents, links with what they lead to. */
export function readToolFiles(project: string): ToolFiles {
  const root = join(project, ".onetool", "tools");
  const packs = packPaths(root).map((path) => join(".onetool", "tools", path));
  const state: State = { root, hash: createHash("sha256"), entries: 0, bytes: 0 };
  try {
    readEntry(root, state, []);
  } catch (error) {
    if (error instanceof Unreadable) return { hash: undefined, packs };
    throw error;
  }
  return { hash: state.hash.digest("hex"), packs };
}

/** Hash over configuration files, as they were read, and the content of the tools folder. */
export function hashFiles(
  project: string,
  { texts, tools }: { readonly texts: ReadonlyMap<string, string>; readonly tools: string },
): string {
  const hash = createHash("sha256");
  for (const [file, text] of texts) {
    take(hash, ["file", relative(project, file), linkTarget(file), text]);
  }
  take(hash, ["tools", tools]);
  return hash.digest("hex");
}

class Unreadable extends Error {
  override readonly name = "Unreadable";
}

interface State {
  readonly root: string;
  readonly hash: ReturnType<typeof createHash>;
  entries: number;
  bytes: number;
}

/** `above`: real paths of the folders that hold this entry. */
function readEntry(path: string, state: State, above: readonly string[]): void {
  const name = relative(state.root, path);
  if (++state.entries > MOST_ENTRIES) throw new Unreadable();
  const link = linkTarget(path);
  const info = attempt(() => Deno.statSync(path));
  if (info?.isFile) return readFile(path, { name, link }, state);
  if (!info?.isDirectory) {
    // Not there, not readable, or a device that must not be opened.
    take(state.hash, [info ? "other" : "nothing", name, link]);
    return;
  }
  const real = attempt(() => Deno.realPathSync(path));
  const entries = attempt(() => [...Deno.readDirSync(path)].map(({ name }) => name).sort());
  // A module in a folder that cannot be listed can still be loaded by its name.
  if (real === undefined || entries === undefined) throw new Unreadable();
  take(state.hash, ["folder", name, link]);
  if (above.includes(real)) return;
  if (above.length >= MOST_DEPTH) throw new Unreadable();
  for (const entry of entries) readEntry(join(path, entry), state, [...above, real]);
}

function readFile(
  path: string,
  { name, link }: { readonly name: string; readonly link: string },
  state: State,
): void {
  const bytes = attempt(() => readRegular(path, MOST_BYTES - state.bytes) ?? "too large");
  if (bytes === "too large") throw new Unreadable();
  state.bytes += bytes?.length ?? 0;
  take(state.hash, [bytes ? "file" : "closed", name, link, bytes ?? ""]);
}

/** Each part with its length, so that no two lists have one text. */
function take(hash: State["hash"], parts: readonly (string | Uint8Array)[]): void {
  for (const part of parts) {
    const bytes = typeof part === "string" ? new TextEncoder().encode(part) : part;
    hash.update(`${bytes.length}:`).update(bytes);
  }
  hash.update("\n");
}

function linkTarget(path: string): string {
  return attempt(() => Deno.readLinkSync(path)) ?? "";
}
