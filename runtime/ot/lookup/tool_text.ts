/** Texts on tools, each within a time: servers write what they are made of. */

import { attempt, isPlainSchema } from "#base";
import { bounded } from "#base/bounded";
import type { ToolEntry } from "#packs";

const MAX_MS = 500;

/** The text, or what stands for it where it fails or takes long: other tools are still shown. */
export function toolText<T>({ spec }: ToolEntry, make: () => T, otherwise: T): T {
  return attempt(() => isPlainSchema(spec) ? make() : bounded(make, MAX_MS), otherwise);
}
