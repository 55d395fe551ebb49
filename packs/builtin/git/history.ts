/** `git.log`, `git.show`, `git.file`, `git.blame` and `git.branches`. */

import { PackError } from "../../errors.ts";
import { type Change, changesOf } from "./changes.ts";
import type { Args, BLAME, BRANCHES, FILE_AT, LOG, SHOW } from "./params.ts";
import { filesOf, type Repository } from "./repository.ts";
import { isRef } from "./revisions.ts";

export interface Commit {
  readonly hash: string;
  readonly parents: readonly string[];
  readonly author: string;
  readonly email: string;
  readonly date: string;
  readonly subject: string;
  readonly body: string;
}

const FIELDS = ["%H", "%P", "%an", "%ae", "%aI", "%s", "%b"];
const FORMAT = `--format=${FIELDS.join("%x00")}`;

/** Reads commits, the newest first. */
export async function log(repository: Repository, args: Args<typeof LOG>) {
  const range = await rangeOf(repository, args.revision);
  const filters = { author: args.author, since: args.since, until: args.until, grep: args.message };
  const { text, cut } = await repository.git([
    "log",
    "-z",
    FORMAT,
    "--fixed-strings",
    "--regexp-ignore-case",
    `--max-count=${args.limit + 1}`,
    `--skip=${args.skip}`,
    ...Object.entries(filters).flatMap(([name, value]) => value ? [`--${name}=${value}`] : []),
    ...range,
    ...(args.file === undefined ? ["--"] : filesOf(args.file)),
  ], { mayCut: true });
  const commits = commitsOf(text);
  return { commits: commits.slice(0, args.limit), more: cut || commits.length > args.limit };
}

/** Resolves `a..b` and `a...b` to ids, so that git gets no name from the caller. */
async function rangeOf(repository: Repository, revision: string): Promise<string[]> {
  const [, from, dots, to] = /^(.*?)(\.{2,3})(.*)$/s.exec(revision) ?? [];
  if (dots === undefined) return [await repository.commit(revision)];
  const ends = await Promise.all([from, to].map((end) => repository.commit(end || "HEAD")));
  return [ends.join(dots)];
}

function commitsOf(text: string): Commit[] {
  const fields = text.split("\0");
  const commits: Commit[] = [];
  for (let at = 0; at + FIELDS.length < fields.length + 1; at += FIELDS.length) {
    const [hash = "", parents = "", author = "", email = "", date = "", subject = "", body = ""] =
      fields.slice(at, at + FIELDS.length);
    if (hash === "") break;
    const ids = parents.split(" ").filter(Boolean);
    commits.push({ hash, parents: ids, author, email, date, subject, body: body.trimEnd() });
  }
  return commits;
}

/** Reads a commit with its changes. */
export async function show(repository: Repository, args: Args<typeof SHOW>) {
  const id = await repository.commit(args.revision);
  const [{ text, cut }, changes] = await Promise.all([
    repository.git(["log", "-z", FORMAT, "--max-count=1", id, "--"], { mayCut: true }),
    changesOf(repository, {
      command: ["show", "--format=", "--first-parent", "--diff-merges=first-parent"],
      revisions: [id],
      file: args.file,
      context: args.context,
      side: "commits",
    }),
  ]);
  const [commit] = commitsOf(text);
  if (!commit) throw new PackError("tool_error", "Cannot ask git: it gave no commit: retry");
  const answer = { ...commit, ...changes } satisfies Commit & { files: readonly Change[] };
  return { ...answer, more: cut || changes.more };
}

/** Reads a file at a revision. */
export async function fileAt(repository: Repository, { revision, file }: Args<typeof FILE_AT>) {
  const path = relativePath(file);
  await repository.checkReadable(path);
  const id = await repository.commit(revision);
  const { text, cut } = await repository.git(["cat-file", "blob", `${id}:${path}`], {
    mayCut: true,
  });
  if (text.includes("\0")) {
    throw new PackError("tool_error", `Cannot read "${file}": it is binary, not text`);
  }
  return { path: file, hash: id, text, more: cut };
}

/** Reads the author and date of each line. */
export async function blame(repository: Repository, args: Args<typeof BLAME>) {
  const path = relativePath(args.file);
  await repository.checkReadable(path);
  const id = await repository.commit(args.revision);
  const ignored = await repository.ignoredRevisions();
  const { text, cut } = await repository.git([
    "blame",
    "--line-porcelain",
    "--no-textconv",
    // Git would read those of the configuration, checked or not.
    "--no-ignore-revs-file",
    ...ignored.map((file) => `--ignore-revs-file=${file}`),
    `-L${args.first},+${args.limit}`,
    id,
    "--",
    path,
  ], { mayCut: true });
  return { path: args.file, lines: blamed(text), more: cut };
}

/** ISO date of seconds since 1970; empty for a time outside the calendar. */
function isoDate(seconds: number): string {
  const date = new Date(seconds * 1_000);
  return Number.isNaN(date.getTime()) ? "" : date.toISOString();
}

/** Lines with their commits. Each comes behind its head, after a tab; only `\n` ends a line of git. */
function blamed(text: string) {
  const lines = [];
  let head: string[] = [];
  for (const line of text.split("\n")) {
    if (line.startsWith("\t")) {
      lines.push(blamedLine(head, line.slice(1)));
      head = [];
    } else head.push(line);
  }
  return lines;
}

function blamedLine([first = "", ...fields]: readonly string[], text: string) {
  const [hash = "", , line] = first.split(" ");
  const field = (name: string) =>
    fields.find((field) => field.startsWith(`${name} `))?.slice(name.length + 1) ?? "";
  return {
    line: Number(line),
    text: text.replace(/\r$/, ""),
    hash,
    author: field("author"),
    date: isoDate(Number(field("author-time"))),
    subject: field("summary"),
  };
}

const REF_FIELDS = [
  "%(HEAD)",
  "%(refname:short)",
  "%(objectname)",
  "%(committerdate:iso-strict)",
  "%(upstream:short)",
  "%(upstream:track,nobracket)",
  "%(symref)",
  "%(subject)",
];

/** Reads branches, the one with the newest commit first. */
export async function branches(repository: Repository, { kind, limit }: Args<typeof BRANCHES>) {
  const places = {
    local: ["refs/heads"],
    remote: ["refs/remotes"],
    all: ["refs/heads", "refs/remotes"],
  };
  const { text, cut } = await repository.git([
    "for-each-ref",
    "--sort=-committerdate",
    `--count=${limit + 1}`,
    `--format=${REF_FIELDS.join("%00")}`,
    ...places[kind],
  ], { mayCut: true });
  const lines = text.split("\n").slice(0, -1).map((line) => line.split("\0"));
  // A symbolic ref may name any file of git's folder.
  const all = lines.filter(([, , , , , , symref = ""]) => isRef(symref)).map(branchOf);
  return { branches: all.slice(0, limit), more: cut || lines.length > limit };
}

function branchOf([head, name = "", hash = "", date = "", ...rest]: readonly string[]) {
  const [upstream = "", track = "", , subject = ""] = rest;
  const count = (word: string) => Number(new RegExp(`${word} (\\d+)`).exec(track)?.[1] ?? 0);
  const places = { ahead: count("ahead"), behind: count("behind") };
  const from = upstream === "" ? null : upstream;
  return { name, current: head === "*", hash, date, upstream: from, ...places, subject };
}

/** Checks that a path stays below the repository and is no option. */
function relativePath(file: string): string {
  const parts = file.split("/").filter((part) => part !== "" && part !== ".");
  if (!file.startsWith("/") && !parts.includes("..") && !file.includes("\0")) {
    return parts.join("/");
  }
  throw new PackError("tool_error", `Cannot read "${file}": it is not a path below the repository`);
}
