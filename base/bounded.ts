/** Time limit for synchronous work, from inside its own thread. */

import { Script } from "node:vm";

const SLOT = Symbol.for("toolscript.work");
const CALL = new Script('globalThis[Symbol.for("toolscript.work")]()');

/** Margin before the limit: work that ends within it spins until the limit strikes. Half of the
 * limit if that is less, but at least 80 ms. Deno does not cancel a limit that strikes as the
 * script ends: it would silently stop the code that runs next. A busy machine delays a thread by
 * less than this. */
const MARGIN_MS = 250;
const LEAST_MARGIN_MS = 80;

/**
 * Runs `work` and returns its result; throws when its synchronous part takes longer than
 * `timeoutMs`. Work that ends shortly before the limit takes the whole time. A limit of less than
 * 0.1 s has too short a margin. Terminating a worker has no effect while it computes (Deno 2.9.6):
 * it would use a processor forever. In workers, run all work on hostile input through this
 * function.
 */
export function bounded<T>(work: () => T, timeoutMs: number): T {
  const timeout = Math.ceil(timeoutMs);
  const latestEnd = performance.now() + timeout -
    Math.min(MARGIN_MS, Math.max(LEAST_MARGIN_MS, timeout / 2));
  const end: { settle?: () => T } = {};
  const slots = globalThis as { [SLOT]?: () => void };
  slots[SLOT] = () => {
    end.settle = settled(work);
    while (performance.now() > latestEnd) {
      // The limit strikes here.
    }
  };
  try {
    CALL.runInThisContext({ timeout });
  } catch (error) {
    if (!end.settle) throw error;
  } finally {
    delete slots[SLOT];
  }
  return end.settle?.() as T;
}

/** Does the work, and returns a function that returns or throws what it did. */
function settled<T>(work: () => T): () => T {
  try {
    const value = work();
    return () => value;
  } catch (error) {
    return () => {
      throw error;
    };
  }
}

/** Returns true for the error of `bounded` whose time was over. */
export function isTimeout(error: unknown): boolean {
  return error instanceof Error && "code" in error &&
    error.code === "ERR_SCRIPT_EXECUTION_TIMEOUT";
}
