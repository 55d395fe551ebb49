/** Abbreviated parameter names, resolved for every kind of pack (RUN-40 to RUN-49). */

import type { Args, InsteadCall, JsonSchema, ToolEntry } from "../types.ts";
import { parameterNames } from "./signature.ts";

/** Unknown names of one call that are looked for; comparing all of many with all parameters of a
 * large schema would take minutes. */
const MOST_ABBREVIATED = 100;

/** Expands abbreviated parameter names. An exact name stays; else the name becomes the first parameter
 * in signature order that begins with it and is not in use; else it stays, and the tool's own check
 * reports it. The result has no prototype: a key `__proto__` is data. */
export function resolvePrefixes(args: Args, schema: JsonSchema): Args {
  const parameters = parameterNames(schema);
  const exact = new Set(parameters);
  const used = new Set(Object.keys(args).filter((key) => exact.has(key)));
  const resolved: Record<string, Args[string]> = Object.create(null);
  let unknown = 0;
  for (const [key, value] of Object.entries(args)) {
    const isAbbreviated = !exact.has(key) && ++unknown <= MOST_ABBREVIATED;
    const name = isAbbreviated ? match(key, parameters, used) : key;
    used.add(name);
    resolved[name] = value;
  }
  return resolved;
}

/** Arguments with the parameters of the tool before all others, for a person to read. */
export function parametersFirst(args: Args, schema: JsonSchema): Args {
  const parameters = parameterNames(schema).filter((name) => Object.hasOwn(args, name));
  const names = new Set([...parameters, ...Object.keys(args)]);
  return Object.fromEntries(names.values().map((name) => [name, args[name] ?? null]));
}

/** Makes the call for a stand-in, which seldom reads its arguments: they are put in order then. */
export function insteadCall(entry: ToolEntry, args: Args): InsteadCall {
  return {
    entry,
    get arguments() {
      return parametersFirst(args, entry.spec.inputSchema);
    },
  };
}

function match(key: string, parameters: readonly string[], used: ReadonlySet<string>): string {
  if (key === "") return key;
  return parameters.find((name) => name.startsWith(key) && !used.has(name)) ?? key;
}
