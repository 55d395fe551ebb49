/** Short ways to write the rules of a configuration. */

import { EFFECTS } from "../effect.ts";
import { expandPath } from "./expand_path.ts";
import type { FlagRule, ListRule, NumberRule, Rule, RuleContext, TextRule } from "./rule.ts";

type Empty = Record<never, never>;
/** Rules by key. They are held to `Rule` where the whole is: here that would decide their types. */
type Keys = { readonly [key: string]: object };
/** Fields of a rule beside those that its maker sets. */
type More<R extends Rule> = Partial<Omit<R, "kind" | "about">>;

function make<const K extends Rule["kind"], O>(kind: K, about: string, options: O) {
  return { kind, about, ...options };
}

function limits(min: number, max: number) {
  return { min, max };
}

/** A text. */
export function text<const O extends More<TextRule> = Empty>(about: string, options = {} as O) {
  return make("text", about, options);
}
/** A text without the blanks around it; an empty one counts as not written. */
export function trimmed(about: string) {
  return text(about, { use: (text: string) => text.trim() || undefined });
}
/** A path, absolute when it is used. */
export function path<const O extends More<TextRule> = Empty>(about: string, options = {} as O) {
  return text(about, { use: inProject, ...options });
}
/** A folder, absolute when it is used; an empty text counts as not written. */
export function folder<const O extends More<TextRule> = Empty>(about: string, options = {} as O) {
  const use = (path: string, context: RuleContext) =>
    path === "" ? undefined : inProject(path, context);
  return text(about, { use, ...options });
}
function inProject(path: string, { home, project }: RuleContext): string {
  return expandPath(path, { home, base: project });
}
/** True or false. */
export function flag<const O extends More<FlagRule> = Empty>(
  about: string,
  options = {} as O,
) {
  return make("flag", about, options);
}
/** One of some words. */
export function choice<
  const C extends readonly string[],
  const O extends { default?: C[number]; see?: string } = Empty,
>(about: string, of: C, options = {} as O) {
  return make("choice", about, { of, ...options });
}
/** A number; a whole one of at least 1, unless the options say otherwise. */
export function count<const O extends More<NumberRule> = Empty>(about: string, options = {} as O) {
  return make("number", about, { ...limits(1, 1_000_000_000), whole: true as boolean, ...options });
}
/** A duration in seconds, fractions allowed; milliseconds when it is used. */
export function seconds<const O extends More<NumberRule> = Empty>(
  about: string,
  options = {} as O,
) {
  const own = { ...limits(0, 31_536_000), unit: "seconds" as const };
  return make("number", about, { ...own, ...options });
}
/** A limit in seconds, above zero. */
export function timeout<const D extends number>(about: string, standard: D) {
  return seconds(about, { min: 0.001, default: standard });
}
/** A size in megabytes, fractions allowed; bytes when it is used. */
export function megabytes<const O extends More<NumberRule> = Empty>(
  about: string,
  options = {} as O,
) {
  const own = { ...limits(0.001, 1_048_576), unit: "megabytes" as const };
  return make("number", about, { ...own, ...options });
}
/** A list. */
export function list<const I extends object, const O extends More<ListRule> = Empty>(
  about: string,
  items: I,
  options = {} as O,
) {
  return make("list", about, { items, ...options });
}
/** A list of texts. */
export function texts<const O extends More<ListRule> = Empty>(about: string, options = {} as O) {
  return list(about, text("One of them"), options);
}
/** Most names or patterns of a list: all are compared with the name of each tool. */
export const MOST_PATTERNS = 1_000;
/** A name or a pattern of names. */
export function pattern(about: string) {
  return text(about, { longest: 256 });
}
/** A list of names and patterns of names. */
export function patterns(about: string) {
  return list(about, pattern("One of them"), { most: MOST_PATTERNS });
}
/** Folders, absolute when they are used; the project's alone where none are written. */
export function folders(about: string) {
  return list(about, path("One of them"), { default: ["."] });
}
/** A map whose keys the user chooses. */
export function map<const V extends object, const O extends { see?: string } = Empty>(
  about: string,
  values: V,
  options = {} as O,
) {
  return make("map", about, { values, ...options });
}
/** A map of known keys. */
export function section<const K extends Keys>(about: string, keys: K) {
  return make("object", about, { keys });
}
/** Effects of tools, where the configuration knows better than they say. */
export function effects() {
  return map(
    "Effects of tools by name or glob pattern: `read`, `write` or `destroy`",
    choice("Its effect", EFFECTS),
    { see: "effects.md" },
  );
}
/** Settings of a pack that comes with Toolscript. */
export function pack<const K extends Keys>(about: string, keys: K) {
  return section(about, {
    enabled: flag(
      "`false` switches the pack off; `auto` leaves it out of instructions and search while a " +
        "connected server does the same",
      { default: "auto", auto: true },
    ),
    effects: effects(),
    ...keys,
  });
}
/** The first of two rules that fits the shape of a value. */
export function either<const E extends readonly object[], const O extends { see?: string } = Empty>(
  about: string,
  of: E,
  options = {} as O,
) {
  return make("either", about, { of, ...options });
}
/** Any value. */
export function any(about: string) {
  return make("any", about, {});
}
