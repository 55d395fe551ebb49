/** Outcome of a process that ended without being killed. */

import type { Outcome } from "./outcome.ts";
import type { Limits } from "./types.ts";

export interface Death {
  readonly status: Deno.CommandStatus;
  /** The code that the program gave to `Deno.exit`, if it did. */
  readonly exitCode?: number;
  /** The end of its stderr. */
  readonly lastWords: string;
  readonly limits: Limits;
}

/** V8 and Rust say that memory ran out in text only, then abort; the C++ library aborts without a
 * word. */
const OUT_OF_MEMORY =
  /out of memory|memory allocation of \d+ bytes failed|cannot allocate memory|failed to (?:spawn|create) thread/i;

/** The outcome of a process that died by itself. */
export function outcomeOfDeath(death: Death): Outcome {
  const { status, exitCode, lastWords, limits } = death;
  if (exitCode === 0) return { kind: "nothing", explicit: false };
  if (exitCode !== undefined) return { kind: "exited", code: exitCode };
  if (status.signal === "SIGXCPU") return { kind: "cpu_limit", seconds: limits.cpuSeconds };
  const isSilentAbort = status.signal === "SIGABRT" && lastWords === "";
  if (isSilentAbort || OUT_OF_MEMORY.test(lastWords)) {
    return { kind: "memory_limit", megabytes: limits.memoryMb };
  }
  if (status.signal !== null) return { kind: "crashed", reason: `Ended by ${status.signal}` };
  return { kind: "crashed", reason: `Ended with code ${status.code}` };
}
