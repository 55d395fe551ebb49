/** The files of a project that trust is given to, as one hash, and the packs among them. */

import { createHash } from "node:crypto";
import { join, relative } from "node:path";
import { packPaths } from "#packs/configured";
import { attempt, createTurns } from "#base";
import { readRegular } from "#files";
import { linkText, toolsEntries, Unreadable } from "./entries.ts";
import type { Place } from "./items.ts";

interface ToolsHash {
  /** Undefined where the folder cannot be read whole. */
  readonly hash: string | undefined;
  /** The folder itself, and the links in it that lead to something. */
  readonly links: readonly Place[];
  /** Reason why it cannot, with the way out. */
  readonly unread?: string;
}

/** Content of `.onetool/tools/`. */
export interface ToolFiles extends ToolsHash {
  /** Files that are packs, relative to the project. */
  readonly packs: readonly string[];
}

const MOST_BYTES = 64 * 1024 * 1024;
/** Bytes that are hashed without a pause. */
const PIECE = 1024 * 1024;

/** Reads `.onetool/tools/` of a project: names, contents, links with what they lead to. */
export function readToolFiles(project: string): ToolFiles {
  const root = toolsFolder(project);
  const packs = packPaths(root).map((path) => join(".onetool", "tools", path));
  const reading = hashEntries(root);
  let step = reading.next();
  while (!step.done) step = reading.next();
  return { ...step.value, packs };
}

/** The same hash, with pauses in which other work runs. */
export async function hashTools(project: string): Promise<string | undefined> {
  const reading = hashEntries(toolsFolder(project));
  const turn = createTurns();
  let step = reading.next();
  for (; !step.done; step = reading.next()) await turn();
  return step.value.hash;
}

export function toolsFolder(project: string): string {
  return join(project, ".onetool", "tools");
}

/** Hash over configuration files, as they were read, and the content of the tools folder. */
export function hashFiles(
  project: string,
  { texts, tools }: { readonly texts: ReadonlyMap<string, string>; readonly tools: string },
): string {
  const hash = createHash("sha256");
  for (const [file, text] of texts) {
    take(hash, ["file", relative(project, file), linkText(file), text]);
  }
  take(hash, ["tools", tools]);
  return hash.digest("hex");
}

/** Hashes the entries, in steps. */
function* hashEntries(root: string): Generator<void, ToolsHash> {
  const hash = createHash("sha256");
  const links: Place[] = [];
  let left = MOST_BYTES;
  try {
    for (const { path, name, kind, link } of toolsEntries(root)) {
      if (name === "" || link !== "" && kind !== "nothing") {
        links.push({ kind: kind === "folder" ? kind : "file", path });
      }
      const file = kind === "file" ? contentOf(path, left) : undefined;
      left -= file?.bytes.length ?? 0;
      const parts = file ? [file.kind, name, link, file.bytes] : [kind, name, link];
      for (const piece of pieces(parts)) {
        hash.update(piece);
        yield;
      }
    }
  } catch (error) {
    if (error instanceof Unreadable) return { hash: undefined, links, unread: error.message };
    throw error;
  }
  return { hash: hash.digest("hex"), links };
}

/** Throws `Unreadable` above the limit. */
function contentOf(
  path: string,
  maxBytes: number,
): { readonly kind: "file" | "closed"; readonly bytes: Uint8Array } {
  const bytes = attempt(() => readRegular(path, maxBytes) ?? "too large");
  if (bytes === "too large") {
    const most = MOST_BYTES / 1024 / 1024;
    throw new Unreadable(`it holds over ${most} MB: move what is no part of a pack out of it`);
  }
  return bytes ? { kind: "file", bytes } : { kind: "closed", bytes: new Uint8Array() };
}

function take(hash: ReturnType<typeof createHash>, parts: readonly string[]): void {
  for (const piece of pieces(parts)) hash.update(piece);
}

/** Each part with its length, so that no two lists have one text. */
function* pieces(parts: readonly (string | Uint8Array)[]): Generator<string | Uint8Array> {
  for (const part of parts) {
    const bytes = typeof part === "string" ? new TextEncoder().encode(part) : part;
    yield `${bytes.length}:`;
    for (let at = 0; at < bytes.length; at += PIECE) yield bytes.subarray(at, at + PIECE);
  }
  yield "\n";
}
