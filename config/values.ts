/** Values in use, of keys that are written and of those that are not. */

import type { NumberRule, ObjectRule, Rule, RuleContext, TextRule } from "#packs/rules";
import { UNITS } from "#packs/rules";

/** Name of a key's value in use: `max_file_mb` in megabytes is `maxFileBytes`. */
export function settingName(key: string, rule: Rule): string {
  const unit = rule.kind === "number" && rule.unit ? UNITS[rule.unit] : { suffix: "", used: "" };
  const stem = key.endsWith(unit.suffix) ? key.slice(0, key.length - unit.suffix.length) : key;
  return stem.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase()) + unit.used;
}

/** Value in use of a number that is written. */
export function numberInUse(value: number, { unit }: NumberRule): number {
  return unit ? Math.round(value * UNITS[unit].factor) : value;
}

/** Value in use of a text that is written. */
export function textInUse(text: string, { use }: TextRule, context: RuleContext): unknown {
  return use ? use(text, context) : text;
}

/** Values in use below an object's keys; those that are not written get their defaults. */
export function filled(
  { keys }: ObjectRule,
  entries: ReadonlyMap<string, unknown>,
  context: RuleContext,
): Record<string, unknown> {
  const pairs = Object.entries(keys).map(([key, rule]) => {
    const value = entries.get(key);
    return [settingName(key, rule), value === undefined ? unwritten(rule, context) : value];
  });
  return Object.fromEntries(pairs.filter(([, value]) => value !== undefined));
}

/** Value in use of a key that is not written; undefined where there is no default. */
export function unwritten(rule: Rule, context: RuleContext): unknown {
  switch (rule.kind) {
    case "text":
      return rule.default === undefined ? undefined : textInUse(rule.default, rule, context);
    case "number":
      if (rule.auto) return rule.auto(context);
      return rule.default === undefined ? undefined : numberInUse(rule.default, rule);
    case "list":
      return (rule.default ?? []).map((text) =>
        rule.items.kind === "text" ? textInUse(text, rule.items, context) : text
      );
    case "map":
      return {};
    case "object":
      return { ...filled(rule, new Map(), context), ...(rule.rest ? { extensions: {} } : {}) };
    default:
      return rule.default;
  }
}
