/** Bounds of one layer: most items of its lists, and most that it starts. */

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

/** Sections that start something; each word in them may be a file that is closed to programs. */
const STARTS = ["servers", "commands"];
/** Words of what a project starts, before a person trusts it. */
const MOST_WORDS = 2_000;

/** Takes out what a project starts where it is more than a person would read: each of its words takes
 * a millisecond whenever files are closed to programs. */
export function withoutManyStarts(layer: MapNode): BoundedLayer {
  const sections = STARTS.flatMap((key) => layer.entries.get(key) ?? []);
  const words = sections.reduce((sum, { value }) => sum + wordsIn(value), 0);
  const [first] = sections;
  if (!first || words <= MOST_WORDS) return { node: layer, findings: [] };
  const message = `Cannot take "${STARTS.join('" and "')}": they have over ${MOST_WORDS} words`;
  const entries = new Map([...layer.entries].filter(([key]) => !STARTS.includes(key)));
  const finding = { severity: "error", message, ...first.place, fix: "Start fewer" } as const;
  return { node: { ...layer, entries }, findings: [finding] };
}

function wordsIn(node: Node): number {
  if (node.kind === "scalar") return node.source.split(/[\s:;,&|=]+/).length;
  const values = node.kind === "list"
    ? node.items
    : [...node.entries.values()].map(({ value }) => value);
  return values.reduce(
    (sum, value) => sum + wordsIn(value),
    node.kind === "map" ? values.length : 0,
  );
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
