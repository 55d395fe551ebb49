/** Checks a configuration tree against its rules: values in use, and findings with their places. */

import type { JsonValue } from "#base";
import { tooMuch } from "./tree/bounds.ts";
import { interpolate, type Scope } from "./tree/interpolate.ts";
import { closest } from "#packs/nearest";
import { isNull, type MapNode, type Node, type Place, type ScalarNode } from "./tree/node.ts";
import type { EitherRule, MapRule, NumberRule, ObjectRule, Rule } from "#packs/rules";
import type { RuleContext } from "#packs/rules";
import type { ConfigFinding } from "./types.ts";
import { filled, numberInUse, textInUse, unwritten } from "./values.ts";

/** A finding with the path of its value. */
export interface CheckFinding extends ConfigFinding {
  readonly path: readonly string[];
}

export interface CheckOptions {
  readonly context: RuleContext;
  /** The scope of references in a file. */
  readonly scopeOf: (file: string) => Scope;
  /** Tells that the value at this path has keys of other programs, too. */
  readonly foreign?: (path: readonly string[]) => boolean;
}

export interface Checked<T> {
  /** Values in use; the default stands for a wrong one. */
  readonly value: T;
  readonly findings: readonly CheckFinding[];
}

/** Checks `node` against `rule`; `T` is the type that `Settings` makes of the rule. */
export function check<T>(node: Node, rule: Rule, options: CheckOptions): Checked<T> {
  const walk = new Walk(options);
  // The one place where a tree becomes a type: `Walk` follows the rule that the type is made from.
  const value = (walk.value(node, rule, []) ?? unwritten(rule, options.context)) as T;
  return { value, findings: walk.findings };
}

class Walk {
  readonly findings: CheckFinding[] = [];
  readonly #options: CheckOptions;
  #verbatim = false;

  constructor(options: CheckOptions) {
    this.#options = options;
  }

  value(node: Node, rule: Rule, path: readonly string[]): unknown {
    if (rule.verbatim && !this.#verbatim) {
      this.#verbatim = true;
      const result = this.value(node, rule, path);
      this.#verbatim = false;
      return result;
    }
    if (rule.kind === "any") return this.#any(node, path);
    if (isNull(node)) return undefined;
    if (rule.kind === "either") return this.#either(node, rule, path);
    if (rule.kind === "object" && rule.short !== undefined && node.kind === "scalar") {
      const entries = new Map([[rule.short, { place: node.place, value: node }]]);
      return this.#object({ kind: "map", entries, place: node.place }, rule, path);
    }
    if (node.kind === "scalar") return this.#scalar(node, rule, path);
    if (rule.kind === "list" && node.kind === "list") {
      const items = node.items.map((item, i) => this.value(item, rule.items, [...path, String(i)]));
      return items.filter((item) => item !== undefined);
    }
    if (rule.kind === "object" && node.kind === "map") return this.#object(node, rule, path);
    if (rule.kind === "map" && node.kind === "map") return this.#map(node, rule, path);
    return this.#wrong(node, rule, path);
  }

  #object(node: MapNode, rule: ObjectRule, path: readonly string[]): Record<string, unknown> {
    const values = new Map<string, unknown>();
    const rest = new Map<string, unknown>();
    for (const [key, entry] of node.entries) {
      const own = Object.hasOwn(rule.keys, key) ? rule.keys[key] : undefined;
      const keyRule = own ?? rule.rest;
      if (!keyRule) this.#unknown(key, entry.place, rule, path);
      else {
        const value = this.value(entry.value, keyRule, [...path, key]);
        (own ? values : rest).set(key, value);
      }
    }
    const result = filled(rule, values, this.#options.context);
    if (rule.rest) result.extensions = withoutMissing(rest);
    return result;
  }

  #map(node: MapNode, rule: MapRule, path: readonly string[]): Record<string, unknown> {
    const result = new Map<string, unknown>();
    const pattern = rule.keys ? new RegExp(rule.keys.pattern) : undefined;
    for (const [key, entry] of node.entries) {
      if (pattern && !pattern.test(key)) {
        const message = `Cannot take the name ${show(key)} in "${path.join(".")}": ` +
          `a name has ${rule.keys?.say}`;
        this.#error(entry.place, message, { path, fix: "Rename it" });
      } else result.set(key, this.value(entry.value, rule.values, [...path, key]));
    }
    return withoutMissing(result);
  }

  #either(node: Node, rule: EitherRule, path: readonly string[]): unknown {
    const fitting = rule.of.find((one) => fits(node, one));
    if (fitting) return this.value(node, fitting, path);
    return this.#wrong(node, rule, path);
  }

  #scalar(node: ScalarNode, rule: Rule, path: readonly string[]): unknown {
    const text = this.#text(node, path);
    if (!text) return undefined;
    // A reference has no type: its value is read as the type of the key.
    const value = text.replaced ? read(text.text, rule) : node.value;
    switch (rule.kind) {
      case "text":
        if (rule.longest !== undefined && text.text.length > rule.longest) {
          return this.#tooLong(node, rule.longest, path);
        }
        return textInUse(text.text, rule, this.#options.context);
      case "choice":
        return rule.of.includes(text.text) ? text.text : this.#wrong(node, rule, path);
      case "flag":
        if (rule.auto && text.text === "auto") return "auto";
        return typeof value === "boolean" ? value : this.#wrong(node, rule, path);
      case "number":
        if (rule.auto && text.text === "auto") return rule.auto(this.#options.context);
        return inRange(value, rule) ? numberInUse(value, rule) : this.#wrong(node, rule, path);
      default:
        return this.#wrong(node, rule, path);
    }
  }

  #text(node: ScalarNode, path: readonly string[]) {
    if (this.#verbatim || typeof node.value !== "string") {
      return { text: node.source, replaced: false };
    }
    const result = interpolate(node.value, this.#options.scopeOf(node.place.file));
    if (result.kind === "text") return result;
    this.#error(node.place, result.message, { path, fix: result.fix });
    return undefined;
  }

  #any(node: Node, path: readonly string[]): JsonValue | undefined {
    if (node.kind === "list") return node.items.map((item) => this.#any(item, path) ?? null);
    if (node.kind === "map") {
      const pairs = [...node.entries].map(([key, entry]) =>
        [key, this.#any(entry.value, path) ?? null] as const
      );
      return Object.fromEntries(pairs);
    }
    return typeof node.value === "string" ? this.#text(node, path)?.text : node.value;
  }

  #wrong(node: Node, rule: Rule, path: readonly string[]): undefined {
    const message = `Cannot take "${path.join(".") || "the file"}": ` +
      `it must be ${expected(rule)}, not ${kindOf(node)}`;
    this.#error(node.place, message, { path, fix: fixFor(node, rule, path) });
  }

  #tooLong({ place }: Node, longest: number, path: readonly string[]): undefined {
    this.findings.push({ ...tooMuch(place, { path, most: `${longest} characters` }), path });
  }

  #unknown(key: string, place: Place, rule: ObjectRule, path: readonly string[]): void {
    if (this.#options.foreign?.(path)) return;
    const keys = Object.keys(rule.keys);
    const near = closest(key, keys);
    const fix = near ? `Did you mean "${near}"?` : `Known are: ${keys.join(", ")}`;
    const message = `Unknown key ${show([...path, key].join("."))}: it has no effect`;
    this.findings.push({ severity: "warning", message, ...place, fix, path: [...path, key] });
  }

  #error(place: Place, message: string, about: { path: readonly string[]; fix?: string }): void {
    this.findings.push({ severity: "error", message, ...place, ...about });
  }
}

function withoutMissing(values: ReadonlyMap<string, unknown>): Record<string, unknown> {
  return Object.fromEntries([...values].filter(([, value]) => value !== undefined));
}

function fits(node: Node, rule: Rule): boolean {
  if (rule.kind === "either") return rule.of.some((one) => fits(node, one));
  if (node.kind === "list") return rule.kind === "list";
  if (node.kind === "map") return rule.kind === "map" || rule.kind === "object";
  if (rule.kind === "number") {
    return typeof node.value === "number" || node.source.includes("${");
  }
  if (rule.kind === "choice") return rule.of.includes(node.source);
  return rule.kind === "text" || rule.kind === "any";
}

function read(text: string, rule: Rule): string | number | boolean {
  if (rule.kind === "number" && /^-?\d+(\.\d+)?$/.test(text)) return Number(text);
  if (rule.kind === "flag" && (text === "true" || text === "false")) return text === "true";
  return text;
}

/** True for a number that a rule takes. */
export function inRange(value: unknown, rule: NumberRule): value is number {
  return typeof value === "number" && value >= rule.min && value <= rule.max &&
    (!rule.whole || Number.isInteger(value));
}

function expected(rule: Rule): string {
  switch (rule.kind) {
    case "text":
      return "text";
    case "number":
      return `a ${rule.whole ? "whole " : ""}number from ${rule.min} to ${rule.max}` +
        (rule.auto ? ', or "auto"' : "");
    case "flag":
      return `true${rule.auto ? "," : " or"} false${rule.auto ? ' or "auto"' : ""}`;
    case "choice":
      return rule.of.map((one) => `"${one}"`).join(" or ");
    case "list":
      return "a list";
    case "map":
      return "a map";
    case "object":
      return rule.short === undefined ? "a map" : "text, or a map";
    case "either":
      return rule.of.map((one) => expected(one)).join(", or ");
    case "any":
      return "anything";
    default:
      return rule satisfies never;
  }
}

function kindOf(node: Node): string {
  if (node.kind !== "scalar") return `a ${node.kind}`;
  return typeof node.value === "string" ? `the text ${show(node.source)}` : node.source;
}

function fixFor(node: Node, rule: Rule, path: readonly string[]): string | undefined {
  const key = path.at(-1) ?? "key";
  if (rule.kind === "list" && node.kind === "scalar") return `Write "${key}: [${node.source}]"`;
  if (rule.kind === "map" || rule.kind === "object") return `Write "key: value" lines below it`;
  if (rule.kind === "flag" || rule.kind === "number") {
    const value = node.kind === "scalar" ? read(node.source, rule) : "";
    if (node.kind === "scalar" && typeof value !== typeof node.value) return "Remove the quotes";
  }
  if (rule.kind !== "choice" || node.kind !== "scalar") return undefined;
  const near = closest(node.source, rule.of);
  return near ? `Did you mean "${near}"?` : undefined;
}

/** Text of a file, safe and short enough for a message. */
function show(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);
}
