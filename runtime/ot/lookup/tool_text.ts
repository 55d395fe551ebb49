/** Texts on tools, each within a time: servers write what they are made of. */

import { attempt } from "#base";
import { bounded } from "#base/bounded";

const MAX_MS = 500;

/** The text, or what stands for it where it fails or takes long: other tools are still shown. */
export function toolText<T>(make: () => T, otherwise: T): T {
  return attempt(() => bounded(make, MAX_MS), otherwise);
}
