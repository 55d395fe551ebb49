/** Reads files of git's settings, by git itself where it is installed. */

import { callGit } from "../../builtin/git/process.ts";
import { isUnchanged, type Mark, markOf } from "../mark.ts";

const MOST_BYTES = 8 * 1024 * 1024;
const TIMEOUT_MS = 5_000;

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
    if (mark !== undefined) kept.set(file, { mark, entries });
    return entries;
  };
}

/** Entries as far as a file tells without git, as in a container: each word of a value may be what git
 * starts, so that more is closed than it would start. */
async function wordsIn(file: string): Promise<GitEntry[] | undefined> {
  const text = await Deno.readTextFile(file).catch(() => undefined);
  if (text === undefined) return undefined;
  const entries: GitEntry[] = [];
  let section = "";
  for (const line of text.replace(/\\\r?\n/g, "").split("\n")) {
    section = /^\s*\[\s*([\w.-]+)/.exec(line)?.[1]?.toLowerCase() ?? section;
    if (!line.includes("=")) continue;
    const plain = line.slice(line.indexOf("=") + 1).replace(/["\\]/g, "").trim();
    const key = section.startsWith("include") ? "include.path" : `${section}.path`;
    const isTree = /worktree/i.test(line);
    const uncommented = plain.replace(/[#;][^]*$/, "").trimEnd();
    for (const word of new Set([plain, uncommented, ...plain.split(/[\s#;]+/)])) {
      entries.push([key, word], ...(isTree ? [["core.worktree", word] as const] : []));
    }
  }
  return entries;
}

async function entriesOf(file: string, path: string): Promise<GitEntry[] | undefined> {
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
  return answer.text.split("\0").filter(Boolean).map((entry) => {
    const [key = "", ...values] = entry.split("\n");
    return [key.toLowerCase(), values.join("\n")] as const;
  });
}
