/** The published JSON Schema of `onetool.yaml`, from the same table as the check. */

import type { JsonObject, JsonValue } from "#base";
import type { Rule } from "#packs/rules";
import { CONFIG } from "./schema.ts";

/** JSON Schema (2020-12) for editors; `docs/onetool.schema.json` holds it.
 *
 * @example
 * ```ts
 * import { configJsonSchema } from "#config";
 *
 * const text = JSON.stringify(configJsonSchema(), null, 2);
 * ```
 */
export function configJsonSchema(): JsonObject {
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "onetool.yaml",
    ...describe(CONFIG),
  };
}

const TEXT = ["string", "number", "boolean"];
const REFERENCE = { type: "string", pattern: "\\$\\{" };

function describe(rule: Rule): JsonObject {
  const standard = rule.kind === "number" && rule.auto ? "auto" : rule.default;
  return {
    description: rule.about,
    ...(standard === undefined ? {} : { default: standard }),
    ...shape(rule),
    ...limits(rule),
  };
}

function shape(rule: Rule): { [key: string]: JsonValue } {
  switch (rule.kind) {
    case "text":
      return { type: TEXT };
    case "number":
      return {
        anyOf: [
          { type: rule.whole ? "integer" : "number", minimum: rule.min, maximum: rule.max },
          ...(rule.auto ? [{ const: "auto" }] : []),
          REFERENCE,
        ],
      };
    case "flag":
      return { anyOf: [{ type: "boolean" }, ...(rule.auto ? [{ const: "auto" }] : []), REFERENCE] };
    case "choice":
      return { anyOf: [{ enum: rule.of }, REFERENCE] };
    case "list":
      return { type: ["array", "null"], items: describe(rule.items) };
    case "map":
      return {
        type: ["object", "null"],
        additionalProperties: describe(rule.values),
        ...(rule.keys ? { propertyNames: { pattern: rule.keys.pattern } } : {}),
      };
    case "object": {
      const properties = Object.entries(rule.keys).map(([key, value]) => [key, describe(value)]);
      return {
        type: [...(rule.short === undefined ? [] : TEXT), "object", "null"],
        properties: Object.fromEntries(properties),
        ...(rule.rest ? { additionalProperties: describe(rule.rest) } : {}),
      };
    }
    case "either":
      return { anyOf: rule.of.map((one) => describe(one)) };
    case "any":
      return {};
    default:
      return rule satisfies never;
  }
}

function limits(rule: Rule): { [key: string]: JsonValue } {
  if (rule.kind === "list" && rule.most !== undefined) return { maxItems: rule.most };
  if (rule.kind === "text" && rule.longest !== undefined) return { maxLength: rule.longest };
  return {};
}
