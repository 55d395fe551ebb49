/** Settings as git lists them, or as far as a file tells without git. */

import { attempt, shorten } from "#base";
import { readRegular } from "#files";
import { type ByteText, byteText, exactOf, shownOf } from "../../builtin/git/bytes.ts";
import { callGit } from "../../builtin/git/process.ts";

const MOST_CHARACTERS = 100;
const TIMEOUT_MS = 5_000;

/** At the beginning of a file, where git passes over it. */
const BYTE_ORDER_MARK = /^\xef\xbb\xbf/;

/** Key in lower case, and value; empty where the file gives none. */
export type GitEntry = readonly [key: string, value: string];

export interface Settings {
  readonly entries: readonly GitEntry[];
  /** Bytes that they take of the limit. */
  readonly bytes: number;
}

/** Limits of what may still be read. */
export interface Room {
  readonly bytes: number;
  /** Number of settings, above which the rest is not read. */
  readonly settings: number;
}

export interface SettingsOptions {
  /** Git's program; undefined where it is not installed. */
  readonly git: string | undefined;
  readonly room: Room;
}

/** Reads the settings of a file, one more than the limit if it has more. Returns a reason if they
 * cannot be determined. */
export async function settingsOf(
  file: string,
  { git, room }: SettingsOptions,
): Promise<Settings | string> {
  const settings = git === undefined ? wordsIn(file, room) : await listedIn(file, { git, room });
  if (settings === undefined) return `"${file}" cannot be read`;
  return typeof settings === "string" ? `"${file}" holds ${settings} that is no UTF-8` : settings;
}

/** Reads entries without git, as in a container. Each word of a value counts as what git may start,
 * which closes more than git would start. Returns a text for a value that is no UTF-8. */
function wordsIn(file: string, room: Room): Settings | string | undefined {
  const bytes = attempt(() => readRegular(file, room.bytes));
  if (bytes === undefined) return undefined;
  const entries: GitEntry[] = [];
  const seen = new Set<string>();
  let section = "";
  const text = byteText(bytes).replace(BYTE_ORDER_MARK, "").replace(/\\\r?\n/g, "");
  for (const [line] of text.matchAll(/[^\n]+/g)) {
    section = /^\s*\[\s*([\w.-]+)/.exec(line)?.[1]?.toLowerCase() ?? section;
    if (!line.includes("=")) continue;
    const value = exactOf(line.slice(line.indexOf("=") + 1));
    if (value === undefined) return `a value of ${section}`;
    for (const entry of entriesOf(value, { section, isTree: /worktree/i.test(line) })) {
      const id = entry.join("\n");
      if (!seen.has(id)) entries.push(entry);
      seen.add(id);
      if (entries.length > room.settings) return { entries, bytes: bytes.length };
    }
  }
  return { entries, bytes: bytes.length };
}

interface Line {
  readonly section: string;
  /** True if it may name a work tree. */
  readonly isTree: boolean;
}

function* entriesOf(value: string, { section, isTree }: Line): Generator<GitEntry> {
  const key = section.startsWith("include") ? "include.path" : `${section}.path`;
  for (const word of wordsOf(value)) {
    yield [key, word];
    if (isTree) yield ["core.worktree", word];
  }
}

function* wordsOf(value: string): Generator<string> {
  const unquoted = value.replace(/["\\]/g, "");
  yield unquoted.trim();
  yield unquoted.trim().replace(/[#;][^]*$/, "").trimEnd();
  // Git takes other blanks for a part of a name.
  for (const words of [/[^\s#;]+/g, /[^\t-\r #;]+/g]) {
    for (const [word] of unquoted.matchAll(words)) yield word;
  }
}

/** Keys of people's names and of branches: git takes their values for no file. */
const NAMES = /^(?:user|author|committer|branch)\.|^remote\..*\.(?:fetch|push)$/s;

/** Value for a key, empty for one that names no file; undefined where the file is named by bytes that
 * are no UTF-8. */
function valueOf(value: string, key: string): string | undefined {
  return exactOf(value) ?? (NAMES.test(key) ? "" : undefined);
}

async function listedIn(
  file: string,
  { git: path, room }: { readonly git: string; readonly room: Room },
): Promise<Settings | string | undefined> {
  // The caller reads included files whatever the condition: each condition may hold.
  const args = ["config", "--file", file, "--no-includes", "--list", "--null"];
  // Each setting is listed with the name of its section.
  const limits = { home: "/", timeoutMs: TIMEOUT_MS, maxOutputBytes: 2 * room.bytes };
  const { signal } = new AbortController();
  const answer = await callGit({ path, ...limits }, { cwd: "/", args, signal }).catch(() =>
    undefined
  );
  // Git does not run with invalid settings, so it starts nothing.
  if (answer?.problem.startsWith("bad config")) return { entries: [], bytes: 0 };
  if (answer?.code !== 0 || answer.cut) return undefined;
  const bytes = Math.ceil(answer.bytes.length / 2);
  const entries: GitEntry[] = [];
  for (const entry of fieldsIn(answer.bytes)) {
    const end = entry.indexOf("\n");
    const key = shownOf(end < 0 ? entry : entry.slice(0, end)).toLowerCase();
    const value = valueOf(end < 0 ? "" : entry.slice(end + 1), key);
    if (value === undefined) return `a value of ${shorten(key, MOST_CHARACTERS)}`;
    entries.push([key, value]);
    if (entries.length > room.settings) break;
  }
  return { entries, bytes };
}

/** Fields of an answer, one after the other: they may be millions. */
function* fieldsIn(bytes: Uint8Array): Generator<ByteText> {
  const text = byteText(bytes);
  for (let start = 0, end; (end = text.indexOf("\0", start)) >= 0; start = end + 1) {
    yield text.slice(start, end);
  }
}
