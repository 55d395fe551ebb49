/** Restrictions that a project had when it was trusted, and that a change drops. */

import { attempt, isObject } from "#base";
import { LEVEL_NAMES } from "#packs/policy";
import { LOST, type TrustItems } from "./items.ts";

/** Decisions of rules that take away. */
const RESTRICTIONS: readonly string[] = LEVEL_NAMES;
const RULES = "security.rules: ";
/** Beginning of the line of a server, with its name. */
const SERVER = /^server ("(?:[^"\\]|\\.)*"|\S+?): /;
/** Texts in quotes, ends of the parts of a line, and all else. */
const PIECES = /"(?:[^"\\]|\\.)*"|; |[^]/g;

/** Number of restrictions among the items that were trusted and are no more: settings that narrow, rules
 * with a condition too, and what filters of servers leave out. */
export function countLifted(before: TrustItems, now: TrustItems): number {
  const held = new Set(restrictionsOf(now));
  const lifted = restrictionsOf(before).filter((line) => !held.has(line));
  const filters = filtersOf(now);
  const opened = [...filtersOf(before)].map(([name, filter]) => {
    const own = filters.get(name);
    return own ? countOpened(filter, own) : 0;
  });
  return lifted.length + opened.reduce((sum, count) => sum + count, 0);
}

/** Number of other settings among the items that were trusted and that nothing stands for any more. */
export function countDropped(before: TrustItems, now: TrustItems): number {
  const keys = new Set([...now.changes, ...now.narrows].map(keyOf));
  const isSetting = (line: string) => !keyOf(line).endsWith(LOST) && rulesIn(line).length === 0;
  return before.changes.filter((line) => isSetting(line) && !keys.has(keyOf(line))).length;
}

function keyOf(line: string): string {
  return line.split(": ", 1)[0] ?? line;
}

function restrictionsOf({ narrows, changes }: TrustItems): string[] {
  return [...narrows, ...changes.flatMap(rulesIn)];
}

/** Rules that take away, of a line with one or with all of them. */
function rulesIn(line: string): string[] {
  if (!line.startsWith(RULES)) return [];
  return itemsIn(line.slice(RULES.length))
    .filter((rule) => isObject(rule) && RESTRICTIONS.includes(String(rule.then)))
    .map((rule) => RULES + JSON.stringify(rule));
}

interface Filter {
  readonly include: readonly unknown[];
  readonly exclude: readonly unknown[];
}

function countOpened(before: Filter, now: Filter): number {
  const dropped = before.exclude.filter((pattern) => !now.exclude.includes(pattern));
  const isWider = before.include.length > 0 &&
    (now.include.length === 0 || now.include.some((pattern) => !before.include.includes(pattern)));
  return dropped.length + (isWider ? 1 : 0);
}

/** Filters of the servers by their names. */
function filtersOf({ starts }: TrustItems): ReadonlyMap<string, Filter> {
  return new Map(starts.flatMap((line) => {
    const [head = "", name] = SERVER.exec(line) ?? [];
    if (name === undefined) return [];
    const [, ...parts] = partsOf(line.slice(head.length));
    const valueOf = (key: string) => {
      const part = parts.find((part) => part.startsWith(`${key} `));
      return part === undefined ? [] : itemsIn(part.slice(key.length + 1));
    };
    return [[name, { include: valueOf("include"), exclude: valueOf("exclude") }] as const];
  }));
}

/** Parts of the text of a server; what stands in quotes divides nothing. */
function partsOf(text: string): readonly string[] {
  const parts = [""];
  for (const [piece] of text.matchAll(PIECES)) {
    if (piece === "; ") parts.push("");
    else parts.push(parts.pop() + piece);
  }
  return parts;
}

function itemsIn(text: string): readonly unknown[] {
  const value: unknown = attempt(() => JSON.parse(text));
  return Array.isArray(value) ? value : value === undefined ? [] : [value];
}
