/** Results too large to send whole, kept as files for a while (RUN-62, 64 to 67). */

import { dirname, isAbsolute, join } from "node:path";
import { attempt, isObject, within } from "#base";
import { linkBelow, openStateFolder } from "#files";
import { byteLength, countLines } from "./lines.ts";
import { findStoredText, type StoredText } from "./stored_file.ts";
import { MOST_INDENTATION } from "./stored_text.ts";

/** Facts about a stored result; keys as in its file. */
export interface StoredResult {
  readonly handle: string;
  readonly total_lines: number;
  readonly size_bytes: number;
  /** ISO 8601. */
  readonly created_at: string;
  /** The tool, or the tools, that the run called. */
  readonly tool: string;
  /** The text must be sanitized wherever it is sent. */
  readonly sanitize?: true;
}

export interface SaveOptions {
  readonly tools: readonly string[];
  readonly sanitize?: boolean;
}

export type StoredLookup =
  | { readonly kind: "found"; readonly about: StoredResult; readonly text: StoredText }
  | { readonly kind: "expired" }
  | { readonly kind: "missing" };

/** Keeps large results; a team's store may replace it. */
export interface ResultStore {
  /** Keeps a text and removes what has expired. */
  save(text: string, options: SaveOptions): Promise<StoredResult>;
  get(handle: string): Promise<StoredLookup>;
  /** Lists stored results that have not expired, the latest first; of very many, some. */
  list(): Promise<readonly StoredResult[]>;
}

export interface ResultStoreOptions {
  /** `<project>/.onetool/tmp`, absolute; made when first needed. */
  readonly folder: string;
  /** Current time to live: the configuration can be reloaded. */
  readonly ttlMs: () => number;
  /** Current limit of a run's value, bytes. */
  readonly outputBytes: () => number;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

const HANDLE = /^[0-9a-f]{16}$/;
const FILE = /^(?<draft>\.)?result-(?<handle>[0-9a-f]{16})\.(?:txt|meta\.json)$/;
const MAX_META = 4_096;
const MAX_TOOL = 500;
const TOOL_NAME = /^[^\p{Z}\p{C}.]+\.[^\p{Z}\p{C}]+$/u;
/** Results that are listed: a folder that came with the project may hold any number. */
const MOST_LISTED = 1_000;
/** Results that one clean-up looks at, for the same reason, and the time that a reply waits for it. */
const MOST_CLEANED = 100;
const CLEAN_UP_MS = 1_000;
/** Difference to the clocks of other machines. */
const MAX_SKEW_MS = 300_000;

/** Creates a store in a folder of the project, readable by the user only. */
export function createResultStore(options: ResultStoreOptions): ResultStore {
  const { folder, now } = options;
  if (!isAbsolute(folder)) throw new TypeError(`Cannot keep results in "${folder}": not absolute`);
  const root = dirname(dirname(folder));
  // A link of the project may lead to the results of another.
  const isOwn = () => linkBelow(folder, { root }) === undefined;
  const isExpired = (createdAt: number) => {
    const age = now() - createdAt;
    // A file that came with the project may claim to be of tomorrow, and so never expire.
    return age >= options.ttlMs() || age < -MAX_SKEW_MS;
  };
  let cleaning: Promise<void> | undefined;
  return {
    async save(text, { tools, sanitize = false }) {
      openStateFolder(folder, { root });
      // A folder that cannot be cleaned up can still be written to.
      cleaning ??= cleanUp(folder, isExpired).catch(() => {}).finally(() => cleaning = undefined);
      await within(cleaning, CLEAN_UP_MS);
      const about: StoredResult = {
        handle: crypto.getRandomValues(new Uint8Array(8)).toHex(),
        total_lines: countLines(text),
        size_bytes: byteLength(text),
        created_at: new Date(now()).toISOString(),
        tool: [...new Set(tools)].join(", ").slice(0, MAX_TOOL),
        ...(sanitize ? { sanitize } : {}),
      };
      await write(folder, text, about);
      return about;
    },
    async get(handle) {
      const about = HANDLE.test(handle) && isOwn() ? await readMeta(folder, handle) : undefined;
      if (!about) return { kind: "missing" };
      const createdAt = Date.parse(about.created_at);
      if (isExpired(createdAt)) return { kind: "expired" };
      // Line breaks add at most half of a value, and the indentation of the first level a whole.
      const maxBytes = 3 * options.outputBytes() + MOST_INDENTATION;
      const text = await findStoredText(textPath(folder, handle), maxBytes);
      if (text === undefined) return { kind: "missing" };
      if (isExpired(earlier(createdAt, text.modifiedAt))) return { kind: "expired" };
      return { kind: "found", about, text };
    },
    async list() {
      const handles = isOwn() ? await handlesIn(folder) : [];
      const entries = await Promise.all(
        handles.slice(0, MOST_LISTED).map((handle) => readMeta(folder, handle)),
      );
      return entries.filter((about) => about !== undefined)
        .filter((about) => !isExpired(Date.parse(about.created_at)))
        .sort((a, b) => b.created_at.localeCompare(a.created_at));
    },
  };
}

function textPath(folder: string, handle: string): string {
  return join(folder, `result-${handle}.txt`);
}

function metaPath(folder: string, handle: string): string {
  return join(folder, `result-${handle}.meta.json`);
}

/** Whole or not at all: a result is there once its meta file is. */
async function write(folder: string, text: string, about: StoredResult): Promise<void> {
  const paths = [textPath(folder, about.handle), metaPath(folder, about.handle)] as const;
  const drafts = [draftOf(paths[0]), draftOf(paths[1])] as const;
  try {
    await Deno.writeTextFile(drafts[0], text, { createNew: true, mode: 0o600 });
    await Deno.writeTextFile(drafts[1], `${JSON.stringify(about)}\n`, {
      createNew: true,
      mode: 0o600,
    });
    await Deno.rename(drafts[0], paths[0]);
    await Deno.rename(drafts[1], paths[1]);
  } catch (error) {
    await Promise.all([...drafts, ...paths].map(remove));
    throw error;
  }
}

function draftOf(path: string): string {
  return path.replace(/result-[^/\\]*$/, (name) => `.${name}`);
}

/** Removes expired results, and drafts of a process that died while it wrote. */
async function cleanUp(
  folder: string,
  isExpired: (createdAt: number) => boolean,
): Promise<void> {
  const handles = new Map<string, string[]>();
  for await (const { name, isFile } of Deno.readDir(folder)) {
    const handle = isFile ? FILE.exec(name)?.groups?.handle : undefined;
    if (handle === undefined) continue;
    handles.set(handle, [...(handles.get(handle) ?? []), join(folder, name)]);
  }
  await Promise.all(
    someOf([...handles]).map(async ([handle, paths]) => {
      const about = await readMeta(folder, handle);
      const createdAt = about ? Date.parse(about.created_at) : await modifiedAt(paths);
      if (isExpired(createdAt)) await Promise.all(paths.map(remove));
    }),
  );
}

/** Takes as many as one clean-up looks at; of more, others each time. */
function someOf<T>(all: readonly T[]): readonly T[] {
  const start = all.length > MOST_CLEANED ? Math.floor(Math.random() * all.length) : 0;
  return [...all.slice(start), ...all.slice(0, start)].slice(0, MOST_CLEANED);
}

async function handlesIn(folder: string): Promise<string[]> {
  try {
    const names = await Array.fromAsync(Deno.readDir(folder), ({ name }) => name);
    return names.flatMap((name) => /^result-([0-9a-f]{16})\.meta\.json$/.exec(name)?.[1] ?? []);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return []; // Nothing was stored yet.
    throw error;
  }
}

async function modifiedAt(paths: readonly string[]): Promise<number> {
  const infos = await Promise.all(paths.map((path) => Deno.lstat(path).catch(() => undefined)));
  return Math.max(0, ...infos.map((info) => info?.mtime?.getTime() ?? 0));
}

async function readMeta(folder: string, handle: string): Promise<StoredResult | undefined> {
  const text = await findStoredText(metaPath(folder, handle), MAX_META);
  if (text === undefined) return undefined;
  // It may be removed meanwhile.
  const meta = await text.whole().catch(() => "");
  return parseMeta(meta, { handle, modifiedAt: text.modifiedAt });
}

function parseMeta(
  text: string,
  { handle, modifiedAt }: { readonly handle: string; readonly modifiedAt: number },
): StoredResult | undefined {
  // Another program may have written it.
  const raw: unknown = attempt(() => JSON.parse(text));
  if (!isObject(raw) || raw.handle !== handle || typeof raw.created_at !== "string") {
    return undefined;
  }
  const createdAt = Date.parse(raw.created_at);
  if (Number.isNaN(createdAt)) return undefined;
  return {
    handle,
    total_lines: wholeNumber(raw.total_lines),
    size_bytes: wholeNumber(raw.size_bytes),
    created_at: new Date(earlier(createdAt, modifiedAt)).toISOString(),
    tool: toolsIn(String(raw.tool ?? "")),
    ...(raw.sanitize === true ? { sanitize: true } : {}),
  };
}

/** Names of tools in a text, which is shown as the gateway's own: a file that came with the project may
 * have any. */
function toolsIn(text: string): string {
  return text.slice(0, MAX_TOOL).split(", ").filter((name) => TOOL_NAME.test(name)).join(", ");
}

/** A result is no younger than its files, whatever it claims. */
function earlier(createdAt: number, modifiedAt: number): number {
  return modifiedAt + MAX_SKEW_MS < createdAt ? modifiedAt : createdAt;
}

function wholeNumber(value: unknown): number {
  return Number.isSafeInteger(value) ? Math.max(0, Number(value)) : 0;
}

async function remove(path: string): Promise<void> {
  // Not there, or another process removed it first.
  await attempt(() => Deno.remove(path));
}
