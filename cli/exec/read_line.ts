/** One line of the person at the terminal, or nothing when the question is over. */

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
  const gone = Promise.withResolvers<null>();
  const onAbort = () => gone.resolve(null);
  signal.addEventListener("abort", onAbort, { once: true });
  if (signal.aborted) onAbort();
  try {
    const line = await Promise.race([person.readLine(), gone.promise]);
    if (line === null) await print.raw("stderr", "\n");
    return signal.aborted ? null : line;
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}
