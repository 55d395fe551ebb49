/** Results of `connect` and `disconnect`, a row a file. */

import { createTwoFilesPatch } from "diff";
import { escapeUnseen, messageOf } from "#base";
import type { Context } from "../context.ts";
import { nearPath } from "../paths.ts";
import { conceal } from "./conceal.ts";
import type { Target } from "./targets.ts";

export interface Row {
  readonly client: string;
  readonly file: string;
  readonly action: "added" | "updated" | "unchanged" | "not_found" | "removed" | "failed";
  /** Names of servers that were taken out of the file, or put back into it. */
  readonly moved: readonly string[];
  /** Path of the copy of the file as it was. */
  readonly backup: string | null;
  readonly error?: string;
}

/** A change of a file that is not made yet. */
export interface Draft {
  readonly row: Row;
  readonly before: string;
  readonly after: string;
  /** Makes the change; returns the row as it came out. */
  readonly apply: () => Row;
}

/** Draft of a file that stays as it is. */
export function unchanged({ name, file }: Target, action: Row["action"], error?: unknown): Draft {
  const why = messageOf(error);
  const row = {
    client: name,
    file,
    action,
    moved: [],
    backup: null,
    ...(error === undefined ? {} : { error: why }),
  };
  return { row, before: "", after: "", apply: () => row };
}

/** Draft of a target; a failure of one file does not stop the others. */
export function draftOf(target: Target, make: () => Draft): Draft {
  const guarded = <T>(work: () => T, otherwise: (error: unknown) => T): T => {
    try {
      return work();
    } catch (error) {
      return otherwise(error);
    }
  };
  const draft = guarded(make, (error) => unchanged(target, "failed", error));
  const failed = (error: unknown) => unchanged(target, "failed", error).row;
  return { ...draft, apply: () => guarded(draft.apply, failed) };
}

/** Prints the rows. Returns the exit code: 1 where a file failed, 3 where nothing was found. */
export async function printRows(
  { print, options, io }: Context,
  rows: readonly Row[],
): Promise<number> {
  if (options.json === true) await print.json(rows);
  else for (const row of rows) await print.data(lineOf(row, io.cwd));
  if (rows.some(({ action }) => action === "failed")) return 1;
  return rows.every(({ action }) => action === "not_found") ? 3 : 0;
}

/** Prints what would be done to the files, as a diff with that to `others`. Returns the exit code. */
export async function printDry(
  context: Context,
  drafts: readonly Draft[],
  others: readonly Draft[] = [],
): Promise<number> {
  if (context.options.json === true) return await printRows(context, drafts.map(({ row }) => row));
  await printDiff(context, [...drafts, ...others]);
  return drafts.some(({ row }) => row.action === "failed") ? 1 : 0;
}

/** Prints the drafts as a unified diff, without the values of secrets. */
async function printDiff({ print, io }: Context, drafts: readonly Draft[]): Promise<void> {
  for (const { row, before, after } of drafts) {
    if (before === after) continue;
    const name = nearPath(row.file, io.cwd);
    const options = [name, name, conceal(before), conceal(after), "", ""] as const;
    const [, ...lines] = createTwoFilesPatch(...options).trimEnd().split("\n");
    await print.data(lines.join("\n"));
  }
}

function lineOf({ client, file, action, moved, error }: Row, cwd: string): string {
  const rest = error !== undefined
    ? `: ${escapeUnseen(error)}`
    : moved.length > 0
    ? ` (moved: ${moved.map(escapeUnseen).join(", ")})`
    : "";
  return `${action.padEnd(10)} ${client.padEnd(15)} ${nearPath(file, cwd)}${rest}`;
}
