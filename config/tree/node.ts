/** A configuration file as a tree of values with their places. */

export interface Place {
  /** Absolute path. */
  readonly file: string;
  /** 1-based. */
  readonly line: number;
  readonly column: number;
}

export interface ScalarNode {
  readonly kind: "scalar";
  readonly value: string | number | boolean | null;
  /** As it was written, without quotes. */
  readonly source: string;
  readonly place: Place;
}

export interface ListNode {
  readonly kind: "list";
  readonly items: readonly Node[];
  readonly place: Place;
}

export interface Entry {
  /** Place of the key. */
  readonly place: Place;
  readonly value: Node;
}

export interface MapNode {
  readonly kind: "map";
  readonly entries: ReadonlyMap<string, Entry>;
  readonly place: Place;
}

export type Node = ScalarNode | ListNode | MapNode;

/** Tells an empty value: a key without a value counts as absent. */
export function isNull(node: Node): boolean {
  return node.kind === "scalar" && node.value === null;
}

/** Maps merged key by key, everything else replaced by `over`. */
export function mergeNodes(base: Node, over: Node): Node {
  if (isNull(over)) return base;
  if (base.kind !== "map" || over.kind !== "map") return over;
  const entries = new Map(base.entries);
  for (const [key, entry] of over.entries) {
    const below = entries.get(key);
    const value = below ? mergeNodes(below.value, entry.value) : entry.value;
    entries.set(key, { place: entry.place, value });
  }
  return { kind: "map", entries, place: over.place };
}

/** The place of the value below `path`, or of the nearest thing above it that exists. */
export function placeOf(root: Node, path: readonly string[]): Place {
  let node = root;
  let place = root.place;
  for (const key of path) {
    const entry = node.kind === "map" ? node.entries.get(key) : undefined;
    const next = entry?.value ?? (node.kind === "list" ? node.items[Number(key)] : undefined);
    if (!next) break;
    place = entry && next.kind !== "scalar" ? entry.place : next.place;
    node = next;
  }
  return place;
}
