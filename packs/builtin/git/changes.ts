/** `git.diff` and `git.status`. */

import { PackError } from "../../errors.ts";
import { type ByteText, exactOf, fieldsOf, patternOf, shownOf } from "./bytes.ts";
import type { Args, DIFF, STATUS } from "./params.ts";
import { filesOf, type Repository } from "./repository.ts";

export interface Change<Path extends string = string> {
  readonly path: Path;
  /** Previous path of a renamed or copied file. */
  readonly from: Path | null;
  readonly status: string;
  /** Null for a binary file. */
  readonly added: number | null;
  readonly deleted: number | null;
}

const STATES: Readonly<Record<string, string>> = {
  A: "added",
  C: "copied",
  D: "deleted",
  M: "modified",
  R: "renamed",
  T: "type changed",
  U: "unmerged",
};

export interface ChangesArgs {
  /** Command of git with its own options. */
  readonly command: readonly string[];
  readonly revisions: readonly string[];
  readonly file?: string;
  readonly context: number;
  /** Side that is compared with another, or with a commit. */
  readonly side: "work tree" | "index" | "commits";
}

/** Reads the changed files and the diff, without closed files, and without repositories that lie in the
 * work tree in the place of a submodule or a file: git would show what they have checked out. Files
 * behind a link of the work tree are left out, too: git may read them in place of the index's objects.
 * Throws `PackError`, also where the list of files is cut: the diff could hold a closed one that is
 * not in it. */
export async function changesOf(repository: Repository, args: ChangesArgs) {
  const { command, revisions, file, context, side } = args;
  const options = [
    "--no-ext-diff",
    "--no-textconv",
    "--no-color",
    "--find-renames",
    `--ignore-submodules=${side === "work tree" ? "all" : "dirty"}`,
    "--src-prefix=a/",
    "--dst-prefix=b/",
  ];
  async function ask(closed: readonly string[]) {
    const rest = [...options, ...revisions, ...filesOf(file, closed)];
    const [list, patch] = await Promise.all([
      repository.git([...command, "--raw", "--numstat", "-z", ...rest]),
      repository.git([...command, "--patch", `--unified=${context}`, ...rest], { mayCut: true }),
    ]);
    return { files: readChanges(list.bytes), text: patch.text, more: patch.cut };
  }
  const first = await ask([]);
  const closed = await closedOf(first.files, { repository, side });
  if (closed.length === 0) return withTexts(first);
  const second = await ask(closed);
  const left = await closedOf(second.files, { repository, side });
  if (left.length === 0) return withTexts(second);
  throw new PackError("tool_error", "Cannot ask git: closed files changed meanwhile: retry");
}

/** Arguments of git that leave out what is closed. What may lie in the work tree under a name that is no
 * UTF-8 cannot be looked at, so that it is left out. */
async function closedOf(
  files: readonly Change<ByteText>[],
  { repository, side }: Pick<ChangesArgs, "side"> & { repository: Repository },
): Promise<string[]> {
  const all = [
    ...new Set(files.flatMap(({ path, from }) => from === null ? path : [path, from])),
  ];
  const names = all.map((path) => ({ path, exact: exactOf(path), text: shownOf(path) }));
  const texts = [...new Set(names.map(({ text }) => text))];
  const closed = new Set([
    ...await repository.closedAmong(texts),
    ...side === "work tree" ? await repository.repositoriesAmong(texts) : [],
    ...side === "commits" ? [] : await repository.linkedAmong(texts),
  ]);
  return names.flatMap(({ path, exact, text }) => {
    if (exact !== undefined) {
      return closed.has(text) ? `:(top,exclude,literal)${exact}` : [];
    }
    return closed.has(text) || side !== "commits" ? `:(top,exclude,glob)${patternOf(path)}` : [];
  });
}

function withTexts<T extends { readonly files: readonly Change<ByteText>[] }>(answer: T) {
  const files = answer.files.map((change): Change => ({
    ...change,
    path: shownOf(change.path),
    from: change.from === null ? null : shownOf(change.from),
  }));
  return { ...answer, files };
}

/** Parses `--raw --numstat -z`: first all raw entries, then all counts. */
function readChanges(bytes: Uint8Array): Change<ByteText>[] {
  const fields = fieldsOf(bytes);
  const changes = new Map<ByteText, Change<ByteText>>();
  for (let at = 0; at < fields.length; at++) {
    const field = fields[at] ?? "";
    const raw = /^\n?:\d+ \d+ \S+ \S+ (?<letter>[A-Z])\d*$/.exec(field)?.groups;
    if (raw) {
      const isPair = raw.letter === "R" || raw.letter === "C";
      const from = isPair ? fields[++at] ?? null : null;
      const path = fields[++at] ?? "";
      const status = STATES[raw.letter ?? ""] ?? "modified";
      changes.set(path, { path, from, status, added: null, deleted: null });
      continue;
    }
    const counts = /^(?<added>\d+|-)\t(?<deleted>\d+|-)\t(?<name>.*)$/s.exec(field)?.groups;
    if (!counts) continue;
    if (counts.name === "") at++;
    const path = counts.name === "" ? fields[++at] ?? "" : counts.name ?? "";
    const change = changes.get(path);
    if (!change) continue;
    const [added, deleted] = [numberOf(counts.added), numberOf(counts.deleted)];
    changes.set(path, { ...change, added, deleted });
  }
  return [...changes.values()];
}

function numberOf(text: string | undefined): number | null {
  return text === undefined || text === "-" ? null : Number(text);
}

/** Compares the work tree, the index or commits. */
export async function diff(repository: Repository, args: Args<typeof DIFF>) {
  const { from, to, staged, file, context } = args;
  const names = [from ?? (to === undefined ? undefined : "HEAD"), to];
  const revisions = await Promise.all(
    names.filter((name) => name !== undefined).map((name) => repository.commit(name)),
  );
  const isStaged = staged && to === undefined;
  const command = ["diff", ...(isStaged ? ["--cached"] : [])];
  const side = isStaged ? "index" : to === undefined ? "work tree" : "commits";
  return await changesOf(repository, { command, revisions, file, context, side });
}

const CODES: Readonly<Record<string, string>> = { ...STATES, "?": "untracked", "!": "ignored" };

/** Reads the branch, and the staged, changed and untracked files. */
export async function status(repository: Repository, { file, limit }: Args<typeof STATUS>) {
  const { text, cut } = await repository.git([
    "status",
    "--porcelain=v2",
    "--branch",
    "-z",
    "--untracked-files=all",
    "--ignore-submodules=dirty",
    "--find-renames",
    ...filesOf(file),
  ], { mayCut: true });
  const fields = text.split("\0").slice(0, -1);
  const header = (name: string) =>
    fields.find((field) => field.startsWith(`# branch.${name} `))?.slice(10 + name.length);
  const listed = readStatus(fields);
  const changes = await openAmong(listed, { repository, most: limit + 1 });
  const [, ahead = "0", behind = "0"] = /^\+(\d+) -(\d+)$/.exec(header("ab") ?? "") ?? [];
  const head = header("head") ?? "";
  const oid = header("oid") ?? "";
  return {
    branch: head === "(detached)" ? null : head,
    hash: oid === "(initial)" ? null : oid,
    upstream: header("upstream") ?? null,
    ahead: Number(ahead),
    behind: Number(behind),
    clean: changes.length === 0 && !cut,
    changes: changes.slice(0, limit),
    more: cut || changes.length > limit,
  };
}

/** The first entries whose paths are not closed, `most` of them or a few more. */
async function openAmong<T extends { readonly path: string }>(
  entries: readonly T[],
  { repository, most }: { readonly repository: Repository; readonly most: number },
): Promise<T[]> {
  const open: T[] = [];
  for (let at = 0; at < entries.length && open.length < most; at += most) {
    const next = entries.slice(at, at + most);
    const closed = await repository.closedAmong(next.map(({ path }) => path));
    open.push(...next.filter(({ path }) => !closed.has(path)));
  }
  return open;
}

function readStatus(fields: readonly string[]) {
  const changes: { path: string; from: string | null; staged: string; unstaged: string }[] = [];
  const nameOf = (letter: string | undefined) => CODES[letter ?? "."] ?? "unchanged";
  for (let at = 0; at < fields.length; at++) {
    const field = fields[at] ?? "";
    const [kind] = field;
    if (kind === "?") {
      const path = field.slice(2);
      changes.push({ path, from: null, staged: "unchanged", unstaged: "untracked" });
    }
    const before = { "1": 8, "2": 9, u: 10 }[kind ?? ""];
    if (before === undefined) continue;
    const parts = field.split(" ");
    const [staged, unstaged] = [nameOf(parts[1]?.[0]), nameOf(parts[1]?.[1])];
    const path = parts.slice(before).join(" ");
    changes.push({ path, from: kind === "2" ? fields[++at] ?? null : null, staged, unstaged });
  }
  return changes;
}
