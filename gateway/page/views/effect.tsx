/** Effect of a tool: whether it reads, writes or destroys. */

import type { ToolEntry } from "#packs";
import type { JSX } from "hono/jsx/jsx-runtime";
import { State } from "./parts.tsx";

const EFFECTS = {
  read: ["ok", "Reads"],
  write: ["warn", "Writes"],
  destroy: ["bad", "Destroys"],
} as const;

/** Effect of a tool, as a mark with its name. */
export function EffectOf({ entry }: { readonly entry: ToolEntry }): JSX.Element {
  const [kind, name] = EFFECTS[entry.effect];
  return <State kind={kind}>{name}</State>;
}
