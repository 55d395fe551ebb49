/** Shapes for tests: learned from values, and read as the types that they become. */

import type { JsonValue } from "#base";
import { emptyShape, type Shape, widen } from "../../../runtime/shapes/shape.ts";
import { typeForCheck, typeForHelp } from "../../../runtime/shapes/to_type.ts";
import { emitSchema } from "../../../runtime/types/emit_type.ts";
import { inlineType } from "../../../runtime/types/inline.ts";

/** Learns from results, one after another. */
export function learn(...values: readonly JsonValue[]): Shape {
  const shape = emptyShape();
  for (const value of values) widen(shape, value);
  return shape;
}

/** The type as help shows it. */
export function helpText(shape: Shape): string {
  return inlineType({ root: typeForHelp(shape), definitions: [] }, 10_000);
}

/** The type as the checker gets it, in one line and without comments. */
export function checkText(shape: Shape): string {
  const type = { root: typeForCheck(shape), definitions: [] };
  return emitSchema(type, { name: "Result", anything: "any", calls: 1 })
    .replace(/\/\*\*.*?\*\//gs, "").replace(/\s+/g, " ").trim()
    .replace(/^export (?:type Result = |interface Result )/, "")
    .replace(/;$/, "").replaceAll("; }", " }");
}
