/** Lines of a trust decision for what Toolscript writes itself. */

import { listStarts, type TrustItems } from "./items.ts";
import { parseYaml } from "../tree/yaml.ts";

/** The lines of servers and packs that a command writes, as a project with nothing else has them. */
export function linesOf(
  { servers = {}, packs = [] }: {
    readonly servers?: Readonly<Record<string, unknown>>;
    readonly packs?: readonly string[];
  },
): Pick<TrustItems, "starts" | "reads"> {
  const { node } = parseYaml(JSON.stringify({ servers }), "");
  return node?.kind === "map"
    ? listStarts(node, packs.map((file) => ({ file })))
    : { starts: [], reads: [] };
}
