/** One line from the person at the terminal. */

import type { Person } from "../person.ts";
import type { Printer } from "../print.ts";

export interface TerminalParts {
  readonly person: Person;
  readonly print: Printer;
}

/** Shows a question and reads the line that answers it; null at the end of input, or when `signal` is
 * aborted first. */
export async function readLine(
  question: string,
  { person, print, signal }: TerminalParts & { readonly signal?: AbortSignal },
): Promise<string | null> {
  person.forget();
  await print.raw("stderr", question);
  const line = await person.readLine(signal);
  if (line === null) await print.raw("stderr", "\n");
  return line;
}
