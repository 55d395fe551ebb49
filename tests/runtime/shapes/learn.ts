/** Shapes for tests: learned from values, and read as the types that they become. */

import type { JsonValue } from "#base";
import { emptyShape, type Shape, widen } from "../../../runtime/shapes/shape.ts";
import { typeForCheck, typeForHelp } from "../../../runtime/shapes/to_type.ts";
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

/** The type as the checker gets it. */
export function checkText(shape: Shape): string {
  return inlineType({ root: typeForCheck(shape), definitions: [] }, 10_000);
}
