/** A span for each function of `ot` (OT-24, OT-65). */

import { type Attributes, untraced } from "#base";
import type { Args, LocalTool } from "#packs";

/** Facts of a call that its span holds, by function; of the others it holds none. */
const FACTS: Readonly<Record<string, readonly string[]>> = {
  result: ["handle", "offset", "limit", "search"],
};
const DEFAULTS: Readonly<Record<string, Attributes>> = { result: { offset: 1, limit: 100 } };

/** The same functions, each call of which is a span named after it. */
export function tracedTools(pack: string, tools: readonly LocalTool[]): readonly LocalTool[] {
  return tools.map(({ spec, call }) => ({
    spec,
    call: (args, options) =>
      (options.span ?? untraced).span(
        `${pack}.${spec.name}`,
        factsOf(spec.name, args),
        (span) => call(args, { ...options, span }),
      ),
  }));
}

function factsOf(name: string, args: Args): Attributes {
  const facts = (FACTS[name] ?? []).flatMap((key) => {
    const value = args[key];
    return typeof value === "string" || typeof value === "number" ? [[key, value] as const] : [];
  });
  return { ...DEFAULTS[name], ...Object.fromEntries(facts) };
}
