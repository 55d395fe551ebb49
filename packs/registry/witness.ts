/** Tells of every call of the registry, whoever makes it and whatever runs it (OT-15). */

import type { CallOrigin, CallResult, ToolEntry } from "../types.ts";

export interface BegunCall {
  /** The name that was called, `github__create_issue`. */
  readonly wire: string;
  readonly args: unknown;
  readonly origin?: CallOrigin;
}

/** How a call ended: with a result or with an error; `entry` is missing where there is no tool of
 * that name. */
export type CallEnd =
  & { readonly entry?: ToolEntry }
  & ({ readonly result: CallResult } | { readonly error: unknown });

/** Is told that a call begins; what it returns is told how it ended. Never throws. */
export type CallWitness = (call: BegunCall) => (end: CallEnd) => void;

export interface Witnessed extends BegunCall {
  readonly entryOf: () => ToolEntry | undefined;
  readonly witness: CallWitness;
}

/** The call, told of. */
export async function witnessed(
  made: Promise<CallResult>,
  { witness, entryOf, ...call }: Witnessed,
): Promise<CallResult> {
  const ended = witness(call);
  try {
    const result = await made;
    ended({ entry: entryOf(), result });
    return result;
  } catch (error) {
    ended({ entry: entryOf(), error });
    throw error;
  }
}
