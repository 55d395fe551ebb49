/** Watch over the trusted tools folder while its packs run (docs/security.md, *Trust in a project*). */

import { createHash } from "node:crypto";
import { attempt, createTurns } from "#base";
import { toolsEntries, Unreadable } from "./entries.ts";
import { hashTools, toolsFolder } from "./files.ts";
import type { Trust } from "./trust.ts";

/** Tells, before a call, that the tools folder is still the trusted one. */
export type ToolsGuard = (trust: Trust) => Promise<boolean>;

export interface ToolsGuardDeps {
  /** Milliseconds on the clock of the files' times. */
  readonly now: () => number;
  /** Milliseconds on a clock that never goes back. */
  readonly clock: () => number;
}

/** Time for which a look counts. */
const LOOK_MS = 2_000;
/** Unit in which a file system may round times: two changes within it can have one time. */
const ROUNDED_MS = 2_000;

interface Look {
  readonly at: number;
  readonly project: string;
  /** Undefined where it says nothing: a folder that is unreadable, or changed a moment ago. */
  readonly stamp: string | undefined;
  readonly hash: string | undefined;
}

/** Makes the guard. It looks at most every two seconds, and reads the files only where the stamp of
 * their names, times and sizes has changed. */
export function createToolsGuard({ now, clock }: ToolsGuardDeps): ToolsGuard {
  let last: Look | undefined;
  let looking: Promise<Look> | undefined;

  async function look(project: string): Promise<Look> {
    const at = clock();
    // Before the files are read: a later change is in the next stamp.
    const stamp = await stampTools(project, now());
    const isSame = stamp !== undefined && last?.project === project && last.stamp === stamp;
    const hash = isSame ? last?.hash : await hashTools(project);
    return last = { at, project, stamp, hash };
  }

  return async ({ kind, all, tools, project }) => {
    if (all) return true;
    if (kind !== "trusted" || tools === undefined) return false;
    const isTrusted = (seen: Look) => seen.project === project && seen.hash === tools;
    // A change back to the trusted files counts at once.
    if (last && isTrusted(last) && clock() - last.at < LOOK_MS) return true;
    looking ??= look(project).finally(() => looking = undefined);
    return isTrusted(await looking);
  };
}

/** Stamp of all entries, read with pauses in which other work runs. */
async function stampTools(project: string, now: number): Promise<string | undefined> {
  const hash = createHash("sha256");
  const turn = createTurns();
  try {
    for (const { path, name, kind } of toolsEntries(toolsFolder(project))) {
      // A link, and what it leads to.
      const infos = [Deno.lstatSync, Deno.statSync].map((stat) => attempt(() => stat(path)));
      if (infos.some((info) => changedAt(info) > now - ROUNDED_MS)) return undefined;
      hash.update(`${JSON.stringify(name)} ${kind} ${infos.map(textOf)}\n`);
      await turn();
    }
  } catch (error) {
    if (error instanceof Unreadable) return undefined;
    throw error;
  }
  return hash.digest("hex");
}

function changedAt(info: Deno.FileInfo | undefined): number {
  return (info?.ctime ?? info?.mtime)?.getTime() ?? 0;
}

function textOf(info: Deno.FileInfo | undefined): string {
  return `${info?.dev} ${info?.ino} ${info?.size} ${info?.mtime?.getTime()} ${changedAt(info)}`;
}
