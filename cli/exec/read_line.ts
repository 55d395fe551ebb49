/** One line from the person at the terminal. */

import { abortable } from "#base";
import type { Person } from "../person.ts";
import type { Printer } from "../print.ts";

export interface TerminalParts {
  readonly person: Person;
  readonly print: Printer;
}

/** Reads the next line; null at the end of input, or when `signal` is aborted first. */
export async function readLine(
  { person, print }: TerminalParts,
  signal: AbortSignal,
): Promise<string | null> {
  const line = await abortable(person.readLine(), signal).catch((error: unknown) => {
    if (signal.aborted) return null;
    throw error;
  });
  if (line === null) await print.raw("stderr", "\n");
  return signal.aborted ? null : line;
}
