/** Difference of two texts for a person, at a bounded cost: texts of others may differ everywhere. */

import { createTwoFilesPatch } from "diff";

/** Lines that may be added and removed before the difference is the whole of both texts: the cost grows
 * with their square. */
const MOST_EDITS = 200;

/** Lines of a difference: those that stay begin with a blank, others with `-` or `+`; `@@` leads each
 * part.
 *
 * @example
 * ```ts
 * import { differenceOf } from "#base/difference";
 * console.assert(differenceOf("a\nb\n", "a\nc\n").join() === "@@ -1,2 +1,2 @@, a,-b,+c");
 * ```
 */
export function differenceOf(before: string, now: string): readonly string[] {
  const options = { context: 2, maxEditLength: MOST_EDITS };
  const patch = createTwoFilesPatch("", "", before, now, "", "", options);
  if (patch === undefined) return replaced(before, now);
  return patch.split("\n").slice(4).filter((line) => line !== "" && !line.startsWith("\\"));
}

/** All lines of one text removed, all of the other added. */
function replaced(before: string, now: string): readonly string[] {
  const [old, added] = [before, now].map((text) => text.replace(/\n$/, "").split("\n"));
  const head = `@@ -1,${old?.length} +1,${added?.length} @@`;
  return [
    head,
    ...(old ?? []).map((line) => `-${line}`),
    ...(added ?? []).map((line) => `+${line}`),
  ];
}
