/** One line of the person at the terminal, or nothing when the question is over. */

import { abortable } from "#sandbox/async";
import type { Person } from "../person.ts";
import type { Printer } from "../print.ts";

export interface Asked {
  readonly person: Person;
  readonly print: Printer;
}

/** Their next line; null where there is none to come, or `signal` was aborted first. */
export async function readLine(
  { person, print }: Asked,
  signal: AbortSignal,
): Promise<string | null> {
  const line = await abortable(person.readLine(), signal).catch((error: unknown) => {
    if (signal.aborted) return null;
    throw error;
  });
  if (line === null) await print.raw("stderr", "\n");
  return signal.aborted ? null : line;
}
