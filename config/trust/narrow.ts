/** Settings of a project that is not trusted and that count nevertheless: those that narrow the
 * home folder's. */

import { LEVEL_NAMES } from "#packs/policy";
import { inRange } from "../check.ts";
import { CONFIG, LIMITS } from "../schema.ts";
import { isNull, type MapNode, type Node } from "../tree/node.ts";
import { settingText } from "./items.ts";
import type { Config } from "../types.ts";
import { numberInUse, settingName } from "../values.ts";

export interface Narrowed {
  /** The settings that narrow. */
  readonly node: MapNode;
  /** All others, a line each. */
  readonly rest: readonly string[];
  /** Lines of those that narrow, one for each entry of a list. */
  readonly narrows: readonly string[];
}

/** Sections that are handled elsewhere, or have no effect in a project. */
const APART = new Set(["$schema", "include", "servers", "secrets", "commands"]);
/** Lists whose patterns only take away. */
export const ADDED_LISTS: readonly string[] = [...LEVEL_NAMES, "rules"];

/** Number of keys that lead to a setting: `sandbox.timeout`. Those of a pack lead to several. */
const DEPTH = 2;
/** Beginning of a reason that such a project gives. */
const STRANGER = "an untrusted project says: ";

/** Splits a project's configuration; `home` are the limits that hold without it. */
export function narrow(project: MapNode, home: Config["sandbox"]): Narrowed {
  const rest: string[] = [];
  const narrows: string[] = [];
  const sections = new Map(
    [...project.entries].flatMap(([key, entry]) => {
      if (APART.has(key) || !Object.hasOwn(CONFIG.keys, key)) return [];
      const value = narrowNode(entry.value, [key], { home, rest, narrows });
      return value ? [[key, { ...entry, value }] as const] : [];
    }),
  );
  return { node: { ...project, entries: sections }, rest, narrows };
}

interface Narrowing {
  readonly home: Config["sandbox"];
  readonly rest: string[];
  readonly narrows: string[];
}

/** Returns the parts that narrow, and nothing else: an empty value would be merged over the home
 * folder's. Each other value has a line, an empty one too where it may be a pack's setting. */
function narrowNode(node: Node, path: readonly string[], state: Narrowing): Node | undefined {
  if (isNull(node) && path.length <= DEPTH) return undefined;
  const isTaken = narrows(node, path, state.home);
  const isList = path[0] === "security" && ADDED_LISTS.includes(path[1] ?? "");
  if (node.kind === "list" && path.length === 2 && isList) {
    for (const item of node.items) {
      const lines = takesAway(item, path[1] === "rules") ? state.narrows : state.rest;
      lines.push(settingText(path, item));
    }
    if (!isTaken) return undefined;
    if (path[1] !== "rules") return node;
    return { ...node, items: node.items.map((rule) => withSpeaker(withoutCondition(rule))) };
  }
  if (isTaken) {
    state.narrows.push(settingText(path, node));
    return node;
  }
  const isEmpty = node.kind === "map" && node.entries.size === 0;
  if (node.kind === "map" && isSplit(path) && !(isEmpty && path.length > DEPTH)) {
    const entries = [...node.entries].flatMap(([key, entry]) => {
      const value = narrowNode(entry.value, [...path, key], state);
      return value ? [[key, { ...entry, value }] as const] : [];
    });
    return entries.length > 0 ? { ...node, entries: new Map(entries) } : undefined;
  }
  if (isEmpty && path.length < DEPTH) return undefined;
  state.rest.push(settingText(path, node));
  return undefined;
}

/** Tells that the keys below are compared with the home folder's one by one. */
function isSplit([section, name]: readonly string[]): boolean {
  if (section === "packs") return true;
  return name === undefined && section !== "prompts";
}

function narrows(node: Node, path: readonly string[], home: Config["sandbox"]): boolean {
  const [section = "", name = "", key, further] = path;
  if (section === "packs") {
    if (further !== undefined || key === undefined) return false;
    return isFlag(node, false) && (key === "enabled" || (name === "file" && key === "write"));
  }
  if (key !== undefined) return false;
  if (section === "security") return narrowsSecurity(node, name);
  if (section !== "sandbox") return false;
  if (name === "check") return node.kind === "scalar" && node.value === "strict";
  const limit = Object.entries(LIMITS).find(([key]) => key === name)?.[1];
  // One out of range would be dropped later, and leave the default in place of the home folder's.
  if (!limit || node.kind !== "scalar" || !inRange(node.value, limit)) return false;
  const homes: Readonly<Record<string, unknown>> = home;
  return numberInUse(node.value, limit) <= Number(homes[settingName(name, limit)]);
}

function narrowsSecurity(node: Node, key: string): boolean {
  if (key === "enabled") return isFlag(node, true);
  if (key === "pin") return node.kind === "scalar" && node.value === "hold";
  if (key === "rules") return node.kind === "list" && node.items.every(isRestriction);
  if (key === "sanitize") return node.kind === "scalar" && node.value === "external";
  return ADDED_LISTS.includes(key) && node.kind === "list" && node.items.every(isLiteral);
}

/** Tells that an entry of a list takes away, whatever a call's arguments are. */
function takesAway(item: Node, isRule: boolean): boolean {
  return isRule ? isRestriction(item) && conditionOf(item) === undefined : isLiteral(item);
}

/** Tells that a rule only takes away. */
function isRestriction(rule: Node): boolean {
  const then = rule.kind === "map" ? rule.entries.get("then")?.value : undefined;
  return then?.kind === "scalar" && then.value !== "allow";
}

function conditionOf(rule: Node): Node | undefined {
  const when = rule.kind === "map" ? rule.entries.get("when")?.value : undefined;
  return when && !isNull(when) ? when : undefined;
}

/** Removes a stranger's condition, which could end the gateway. A rule that blocks then asks, since
 * it applies to more calls. */
function withoutCondition(rule: Node): Node {
  if (rule.kind !== "map" || !conditionOf(rule)) return rule;
  const entries = new Map(rule.entries);
  entries.delete("when");
  const then = entries.get("then");
  if (then?.value.kind === "scalar" && then.value.value === "blocked") {
    entries.set("then", { ...then, value: { ...then.value, value: "ask", source: "ask" } });
  }
  return { ...rule, entries };
}

/** Says whose words the reason of a rule is: it stands in the questions about other programs. */
function withSpeaker(rule: Node): Node {
  const because = rule.kind === "map" ? rule.entries.get("because") : undefined;
  if (rule.kind !== "map" || because?.value.kind !== "scalar") return rule;
  const { value } = because.value;
  if (typeof value !== "string") return rule;
  const text = { ...because.value, value: STRANGER + value, source: STRANGER + value };
  return { ...rule, entries: new Map(rule.entries).set("because", { ...because, value: text }) };
}

function isFlag(node: Node, value: boolean): boolean {
  return node.kind === "scalar" && node.value === value;
}

function isLiteral(node: Node): boolean {
  return node.kind === "scalar" && typeof node.value === "string" && !node.value.includes("${");
}
