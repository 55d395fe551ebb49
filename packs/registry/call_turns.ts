/** Turns of the work about calls that may hold up all other work. */

import type { Pace } from "#base";
import { PackError } from "../errors.ts";
import type { CallOptions, ToolEntry } from "../types.ts";

/** Does work in the turn of a call. Rejects with a `PackError` where the call ends before. */
export type InTurn = <T>(work: () => T) => Promise<T>;

/** Creates the turns of all calls, of a tool or by the wire name of one that does not exist.
 * Programs (each with all runs within it) and clients take turns. */
export function createCallTurns(
  pace: Pace,
): (called: ToolEntry | string, call: Pick<CallOptions, "origin" | "signal">) => InTurn {
  return (called, { origin: { within, run, client } = {}, signal }) => async (work) => {
    try {
      return await pace(work, { client: within ?? run ?? client, signal });
    } catch (error) {
      if (!signal?.aborted) throw error;
      const name = typeof called === "string"
        ? called.replace("__", ".")
        : `${called.pack}.${called.tool}`;
      const message = `Cannot call "${name}": the run has ended`;
      throw new PackError("cancelled", message, { tool: name, cause: error });
    }
  };
}
