/** Differences between two values, by their place. */

import { isObject, type JsonObject, type JsonValue } from "#base";

export type Change =
  | { readonly kind: "added"; readonly path: string; readonly after: JsonValue }
  | { readonly kind: "removed"; readonly path: string; readonly before: JsonValue }
  | {
    readonly kind: "changed";
    readonly path: string;
    readonly before: JsonValue;
    readonly after: JsonValue;
  };

export interface Difference {
  readonly equal: boolean;
  /** In order of their place, at most `limit`. */
  readonly changes: readonly Change[];
  readonly added: number;
  readonly removed: number;
  readonly changed: number;
  readonly has_more: boolean;
}

export interface DifferenceOptions {
  /** Key by whose value objects in lists are paired. */
  readonly key?: string;
  readonly limit: number;
}

/** Compares two values. Paths are JSONPath, usable in a query. */
export function difference(
  before: JsonValue,
  after: JsonValue,
  { key, limit }: DifferenceOptions,
): Difference {
  const counts = { added: 0, removed: 0, changed: 0 };
  const changes: Change[] = [];
  compare(before, after, {
    key,
    path: "$",
    report(change) {
      counts[change.kind]++;
      if (changes.length < limit) changes.push(change);
    },
  });
  const total = counts.added + counts.removed + counts.changed;
  return { equal: total === 0, changes, ...counts, has_more: total > changes.length };
}

interface Context {
  readonly key: string | undefined;
  readonly path: string;
  readonly report: (change: Change) => void;
}

function compare(before: JsonValue, after: JsonValue, context: Context): void {
  if (Array.isArray(before) && Array.isArray(after)) return compareLists(before, after, context);
  if (isObject(before) && isObject(after)) {
    return compareObjects(before as JsonObject, after as JsonObject, context);
  }
  if (before !== after) context.report({ kind: "changed", path: context.path, before, after });
}

function compareObjects(before: JsonObject, after: JsonObject, context: Context): void {
  for (const name of Object.keys(before)) {
    const inside = { ...context, path: context.path + step(name) };
    const old = before[name] as JsonValue;
    if (Object.hasOwn(after, name)) compare(old, after[name] as JsonValue, inside);
    else context.report({ kind: "removed", path: inside.path, before: old });
  }
  for (const name of Object.keys(after)) {
    if (Object.hasOwn(before, name)) continue;
    const path = context.path + step(name);
    context.report({ kind: "added", path, after: after[name] as JsonValue });
  }
}

function compareLists(
  before: readonly JsonValue[],
  after: readonly JsonValue[],
  context: Context,
): void {
  const { key, path } = context;
  const olds = key === undefined ? undefined : byKey(before, key);
  const news = key === undefined ? undefined : byKey(after, key);
  if (olds && news && key !== undefined) return compareKeyed(olds, news, context);
  for (let at = 0; at < Math.max(before.length, after.length); at++) {
    const inside = `${path}[${at}]`;
    const [old, now] = [before[at], after[at]];
    if (old === undefined) context.report({ kind: "added", path: inside, after: now ?? null });
    else if (now === undefined) context.report({ kind: "removed", path: inside, before: old });
    else compare(old, now, { ...context, path: inside });
  }
}

function compareKeyed(olds: Keyed, news: Keyed, context: Context): void {
  const pathOf = (id: string) => `${context.path}[?@${step(context.key ?? "")}==${id}]`;
  for (const [id, old] of olds) {
    const now = news.get(id);
    if (now === undefined) context.report({ kind: "removed", path: pathOf(id), before: old });
    else compare(old, now, { ...context, path: pathOf(id) });
  }
  for (const [id, now] of news) {
    if (!olds.has(id)) context.report({ kind: "added", path: pathOf(id), after: now });
  }
}

type Keyed = ReadonlyMap<string, JsonValue>;

/** Items by the JSONPath literal of their key; undefined if an item has none or two share one. */
function byKey(list: readonly JsonValue[], key: string): Keyed | undefined {
  const items = new Map<string, JsonValue>();
  for (const item of list) {
    if (!isObject(item) || !Object.hasOwn(item, key)) return undefined;
    const id = item[key];
    if (typeof id !== "string" && typeof id !== "number") return undefined;
    const literal = typeof id === "string" ? quoted(id) : String(id);
    if (items.has(literal)) return undefined;
    items.set(literal, item as JsonValue);
  }
  return items;
}

function step(name: string): string {
  return /^[A-Za-z_]\w*$/.test(name) ? `.${name}` : `[${quoted(name)}]`;
}

/** A text as a JSONPath literal. */
function quoted(text: string): string {
  return JSON.stringify(text);
}
