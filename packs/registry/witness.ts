/** Reports of every call of the registry (OT-15). */

import type { CallOrigin, CallResult, ToolEntry } from "../types.ts";

export interface StartedCall {
  /** The name that was called, `github__create_issue`. */
  readonly wire: string;
  readonly args: unknown;
  readonly origin?: CallOrigin;
  /** True for a call of a plan, which no statistics count. */
  readonly isPlanned?: boolean;
}

/** End of a call: a result or an error. `entry` is missing where no tool has that name. */
export type CallEnd =
  & { readonly entry?: ToolEntry }
  & ({ readonly result: CallResult } | { readonly error: unknown });

/** Receives the begin of a call, and returns the function that receives its end. Never throws. */
export type CallWitness = (call: StartedCall) => (end: CallEnd) => void;

export interface Witnessed extends StartedCall {
  readonly entryOf: () => ToolEntry | undefined;
  readonly witnesses: readonly CallWitness[];
}

/** Reports the begin and the end of a call. */
export async function witnessed(
  pending: Promise<CallResult>,
  { witnesses, entryOf, ...call }: Witnessed,
): Promise<CallResult> {
  const ends = witnesses.map((witness) => witness(call));
  const tell = (end: CallEnd) => ends.forEach((ended) => ended(end));
  try {
    const result = await pending;
    tell({ entry: entryOf(), result });
    return result;
  } catch (error) {
    tell({ entry: entryOf(), error });
    throw error;
  }
}

/** Reports a call of a plan once it has ended: one that a stand-in answers was not made. */
export async function witnessedIfMade(
  pending: Promise<CallResult>,
  { witnesses, entryOf, ...call }: Witnessed,
): Promise<CallResult> {
  const made = { ...call, isPlanned: true };
  const tell = (end: CallEnd) => witnesses.forEach((witness) => witness(made)(end));
  try {
    const result = await pending;
    if (!result.standIn) tell({ entry: entryOf(), result });
    return result;
  } catch (error) {
    tell({ entry: entryOf(), error });
    throw error;
  }
}
