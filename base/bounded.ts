/** Time limit for synchronous work, from inside its own thread. */

import { Script } from "node:vm";

const SLOT = Symbol.for("toolscript.work");
const CALL = new Script('globalThis[Symbol.for("toolscript.work")]()');

/**
 * Runs `work` and returns its result; throws when its synchronous part takes longer than `timeoutMs`.
 * Terminating a worker has no effect while it computes (Deno 2.9.6), and it would use a processor for
 * ever: in workers, run all work on hostile input through this function.
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

/** Returns true for the error of `bounded` whose time was over. */
export function isTimeout(error: unknown): boolean {
  return error instanceof Error && "code" in error &&
    error.code === "ERR_SCRIPT_EXECUTION_TIMEOUT";
}
