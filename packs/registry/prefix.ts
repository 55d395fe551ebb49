/** Abbreviated parameter names, resolved once for every kind of pack (RUN-40 to RUN-49). */

import type { Args, JsonSchema } from "../types.ts";
import { parameterNames } from "./signature.ts";

/** Unknown names of one call that are looked for; comparing all of many with all parameters of a
 * large schema would take minutes. */
const MOST_ABBREVIATED = 100;

/**
 * Writes abbreviated parameter names out: an exact name stays, else the first parameter in
 * signature order that starts with the given text and is not already given, else the name is
 * passed through and the tool's own check speaks. The answer has no prototype, so that a key
 * `__proto__` is data.
 */
export function resolvePrefixes(args: Args, schema: JsonSchema): Args {
  const known = parameterNames(schema);
  const exact = new Set(known);
  const taken = new Set(Object.keys(args).filter((key) => exact.has(key)));
  const resolved: Record<string, Args[string]> = Object.create(null);
  let unknown = 0;
  for (const [key, value] of Object.entries(args)) {
    const isAbbreviated = !exact.has(key) && ++unknown <= MOST_ABBREVIATED;
    const name = isAbbreviated ? match(key, known, taken) : key;
    taken.add(name);
    resolved[name] = value;
  }
  return resolved;
}

function match(key: string, known: readonly string[], taken: ReadonlySet<string>): string {
  if (key === "") return key;
  return known.find((name) => name.startsWith(key) && !taken.has(name)) ?? key;
}
