/** Ends work that would compute for ever, from inside the thread that it keeps busy. */

import { Script } from "node:vm";

const SLOT = Symbol.for("toolscript.work");
const CALL = new Script('globalThis[Symbol.for("toolscript.work")]()');

/**
 * Does `work` and gives what it gives; throws when its synchronous part takes longer than
 * `timeoutMs`. A worker that is told to end does not hear it while it computes (Deno 2.9.6), and
 * would keep a processor busy for good: whatever may be given hostile input there goes through this.
 */
export function bounded<T>(work: () => T, timeoutMs: number): T {
  const slots = globalThis as { [SLOT]?: () => T };
  slots[SLOT] = work;
  try {
    return CALL.runInThisContext({ timeout: Math.ceil(timeoutMs) }) as T;
  } finally {
    delete slots[SLOT];
  }
}
