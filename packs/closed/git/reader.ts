/** Reads files of git's settings, by git itself where it is installed. */

import { shorten } from "#base";
import { byteText, exactOf, fieldsOf, shownOf } from "../../builtin/git/bytes.ts";
import { callGit } from "../../builtin/git/process.ts";
import { isUnchanged, type Mark, markOf } from "../mark.ts";

const MOST_BYTES = 8 * 1024 * 1024;
const MOST_CHARACTERS = 100;
const TIMEOUT_MS = 5_000;

/** At the beginning of a file, where git passes over it. */
const BYTE_ORDER_MARK = /^\xef\xbb\xbf/;

/** Key in lower case, and value; empty where the file gives none. */
export type GitEntry = readonly [key: string, value: string];

/** Entries of a file, none if there is no such file; a reason if they cannot be told. */
export type GitReader = (file: string) => Promise<readonly GitEntry[] | string>;

export interface GitReaderDeps {
  /** Finds git, without a program of this project. */
  readonly findGit: (project: string) => string | undefined;
  readonly now: () => number;
}

/** Makes the reader. It keeps what it read of files that have not changed. */
export function createGitReader(
  { findGit, now }: GitReaderDeps,
): (project: string) => GitReader {
  const kept = new Map<string, { readonly mark: Mark; readonly entries: readonly GitEntry[] }>();
  return (project) => async (file) => {
    const info = await Deno.stat(file).catch(() => undefined);
    if (!info?.isFile) return [];
    if (info.size > MOST_BYTES) return `"${file}" has over ${MOST_BYTES / 1024 / 1024} MB`;
    const mark = markOf(info, now());
    const last = kept.get(file);
    if (last && isUnchanged(info, last.mark)) return last.entries;
    const path = findGit(project);
    const entries = path === undefined ? await wordsIn(file) : await entriesOf(file, path);
    if (entries === undefined) return `"${file}" cannot be read`;
    if (typeof entries === "string") return `"${file}" holds ${entries} that is no UTF-8`;
    if (mark !== undefined) kept.set(file, { mark, entries });
    return entries;
  };
}

/** Entries as far as a file tells without git, as in a container: each word of a value may be what git
 * starts, so that more is closed than it would start. A text says which value is no UTF-8. */
async function wordsIn(file: string): Promise<GitEntry[] | string | undefined> {
  const bytes = await Deno.readFile(file).catch(() => undefined);
  if (bytes === undefined) return undefined;
  const entries: GitEntry[] = [];
  let section = "";
  const text = byteText(bytes).replace(BYTE_ORDER_MARK, "");
  for (const line of text.replace(/\\\r?\n/g, "").split("\n")) {
    section = /^\s*\[\s*([\w.-]+)/.exec(line)?.[1]?.toLowerCase() ?? section;
    if (!line.includes("=")) continue;
    const key = section.startsWith("include") ? "include.path" : `${section}.path`;
    const value = exactOf(line.slice(line.indexOf("=") + 1));
    if (value === undefined) return `a value of ${section}`;
    const unquoted = value.replace(/["\\]/g, "");
    const plain = unquoted.trim();
    const isTree = /worktree/i.test(line);
    const uncommented = plain.replace(/[#;][^]*$/, "").trimEnd();
    // Git takes other blanks for a part of a name.
    const words = [/[\s#;]+/, /[\t-\r #;]+/].flatMap((blank) => unquoted.split(blank));
    for (const word of new Set([plain, uncommented, ...words])) {
      entries.push([key, word], ...(isTree ? [["core.worktree", word] as const] : []));
    }
  }
  return entries;
}

/** Keys of people's names and of branches: git takes their values for no file. */
const NAMES = /^(?:user|author|committer|branch)\.|^remote\..*\.(?:fetch|push)$/s;

/** Value for a key, empty for one that names no file; undefined where the file is named by bytes that
 * are no UTF-8. */
function valueOf(value: string, key: string): string | undefined {
  return exactOf(value) ?? (NAMES.test(key) ? "" : undefined);
}

async function entriesOf(file: string, path: string): Promise<GitEntry[] | string | undefined> {
  // Conditions of includes are for the caller: all of them may hold.
  const args = ["config", "--file", file, "--no-includes", "--list", "--null"];
  const limits = { home: "/", timeoutMs: TIMEOUT_MS, maxOutputBytes: 2 * MOST_BYTES };
  const { signal } = new AbortController();
  const answer = await callGit({ path, ...limits }, { cwd: "/", args, signal }).catch(() =>
    undefined
  );
  // Git starts nothing with such settings.
  if (answer?.problem.startsWith("bad config")) return [];
  if (answer?.code !== 0 || answer.cut) return undefined;
  const entries: GitEntry[] = [];
  for (const entry of fieldsOf(answer.bytes)) {
    const [name = "", ...values] = entry.split("\n");
    const key = shownOf(name).toLowerCase();
    const value = valueOf(values.join("\n"), key);
    if (value === undefined) return `a value of ${shorten(key, MOST_CHARACTERS)}`;
    entries.push([key, value]);
  }
  return entries;
}
