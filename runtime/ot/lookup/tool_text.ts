/** Texts on tools, each made within a time limit: servers wrote what they are made from. */

import { attempt, isPlainSchema } from "#base";
import { bounded } from "#base/bounded";
import type { InTurn, ToolEntry } from "#packs";

const MAX_MS = 500;

export interface ToolTextOptions<T> {
  readonly inTurn: InTurn;
  /** Stands for a text that fails or takes long: other tools are still shown. */
  readonly otherwise: T;
}

/** Makes the text in its turn: a program asks for many. */
export function toolText<T>(
  { spec }: ToolEntry,
  make: () => T,
  { inTurn, otherwise }: ToolTextOptions<T>,
): Promise<T> {
  const makeInTime = () => isPlainSchema(spec) ? make() : bounded(make, MAX_MS);
  return inTurn(() => attempt(makeInTime, otherwise));
}
