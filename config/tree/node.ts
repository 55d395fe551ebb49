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
  /** Text of the file from `place`, where it is another: with quotes, or over several lines. */
  readonly written?: string;
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

/** The value without its places. */
export function toValue(
  node: Node,
  read: (scalar: ScalarNode) => unknown = ({ value }) => value,
): unknown {
  if (node.kind === "list") return node.items.map((item) => toValue(item, read));
  if (node.kind === "scalar") return read(node);
  const entries = [...node.entries].map(([key, { value }]) => [key, toValue(value, read)]);
  return Object.fromEntries(entries);
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
  return nearest(root, path).place;
}

/** True where there is a value below `path`. */
export function hasNode(root: Node, path: readonly string[]): boolean {
  return nearest(root, path).left === 0;
}

/** The place of a character of the text below `path`; the text as it was read. */
export function placeIn(root: Node, path: readonly string[], at: number): Place {
  const { node, place } = nearest(root, path);
  if (node.kind !== "scalar") return place;
  const { source, written = source } = node;
  const before = written.slice(0, offsetIn(written, source.slice(0, at)));
  const lines = before.split("\n");
  const column = (lines.at(-1)?.length ?? 0) + (lines.length === 1 ? place.column : 1);
  return { ...place, line: place.line + lines.length - 1, column };
}

interface Nearest {
  readonly node: Node;
  readonly place: Place;
  /** Keys of the path below it. */
  readonly left: number;
}

function nearest(root: Node, path: readonly string[]): Nearest {
  let node = root;
  let place = root.place;
  let left = path.length;
  for (const key of path) {
    const entry = node.kind === "map" ? node.entries.get(key) : undefined;
    const next = entry?.value ?? (node.kind === "list" ? node.items[Number(key)] : undefined);
    if (!next) break;
    place = entry && next.kind !== "scalar" ? entry.place : next.place;
    node = next;
    left--;
  }
  return { node, place, left };
}

/** Offset behind this beginning in a text as it is written: its blanks are others where lines are
 * folded, and a character may be escaped. */
function offsetIn(written: string, beginning: string): number {
  const [quote = ""] = /^["']/.exec(written) ?? [];
  const escape = quote === '"' ? "\\" : quote;
  let left = beginning.replaceAll(/\s/g, "").length;
  let offset = quote.length;
  for (; offset < written.length && left > 0; offset++) {
    const character = written.charAt(offset);
    if (/\s/.test(character)) continue;
    left--;
    if (character === escape) offset++;
  }
  const [blanks = ""] = /^\s*(?=\S)/.exec(written.slice(offset)) ?? [];
  return offset + blanks.length;
}
