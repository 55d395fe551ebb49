/** What a search passes over. */

import { linkReason, readReason, type ReadRules } from "../../closed/reading.ts";

/** Whether what a search came upon is closed to reading. */
export function isClosed(path: string, rules: ReadRules): boolean {
  if (readReason(path, rules) !== undefined) return true;
  if (rules.inodes.length === 0) return false;
  try {
    return linkReason(Deno.lstatSync(path), rules) !== undefined;
  } catch {
    // It has gone meanwhile.
    return true;
  }
}
