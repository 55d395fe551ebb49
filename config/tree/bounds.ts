/** Bounds of one layer: most items of its lists. */

import type { Rule } from "#packs/rules";
import type { MapNode, Node, Place } from "./node.ts";
import type { ConfigFinding } from "../types.ts";

export interface BoundedLayer {
  /** The layer without what is over its bounds. */
  readonly node: MapNode;
  readonly findings: readonly ConfigFinding[];
}

/** Takes out what is over the bounds of a rule. They count for each layer by itself, before lists of
 * two layers are joined: those of a project fill up none of the home folder. */
export function withinBounds(layer: MapNode, rule: Rule): BoundedLayer {
  const findings: ConfigFinding[] = [];
  const node = bounded(layer, rule, { path: [], findings });
  return { node: node.kind === "map" ? node : layer, findings };
}

/** The finding about a value that is larger than its rule allows. */
export function tooMuch(
  place: Place,
  { path, most }: { readonly path: readonly string[]; readonly most: string },
): ConfigFinding {
  const message = `Cannot take "${path.join(".")}": it has over ${most}`;
  const fix = "Shorten it: * stands for any text in a pattern";
  return { severity: "error", message, ...place, fix };
}

interface Bounding {
  readonly path: readonly string[];
  readonly findings: ConfigFinding[];
}

function bounded(node: Node, rule: Rule, { path, findings }: Bounding): Node {
  if (node.kind === "map" && rule.kind === "object") {
    const entries = [...node.entries].map(([key, entry]) => {
      const own = Object.hasOwn(rule.keys, key) ? rule.keys[key] : undefined;
      const state = { path: [...path, key], findings };
      return [key, own ? { ...entry, value: bounded(entry.value, own, state) } : entry] as const;
    });
    return { ...node, entries: new Map(entries) };
  }
  const extra = node.kind === "list" && rule.kind === "list"
    ? node.items[rule.most ?? Infinity]
    : undefined;
  if (!extra || node.kind !== "list" || rule.kind !== "list") return node;
  findings.push(tooMuch(extra.place, { path, most: `${rule.most} items` }));
  return { ...node, items: node.items.slice(0, rule.most) };
}
