/** Foreign text that the calls of a run bring. */

import { isObject } from "#base";
import { PackError } from "#packs";

/** The tool that reads stored results, and marks the lines of foreign ones. */
export const PAGE = "ot__result";

export interface ForeignText {
  /** Notes a call of a tool whose results and errors are all foreign. */
  add(): void;
  /** Takes the result of a call, or what it threw. */
  note(wire: string, outcome: unknown): void;
  /** True where a call brought some. */
  any(): boolean;
  /** True where a call brought some that is not a page of a stored result. */
  beyondPages(): boolean;
}

/** Watches the calls. */
export function createForeignText(): ForeignText {
  let pages = false;
  let others = false;
  return {
    add: () => void (others = true),
    note(wire, outcome) {
      if (!isForeign(outcome)) return;
      if (wire === PAGE) pages = true;
      else others = true;
    },
    any: () => pages || others,
    beyondPages: () => others,
  };
}

function isForeign(outcome: unknown): boolean {
  if (outcome instanceof PackError) return outcome.external;
  return isObject(outcome) && outcome.external === true;
}
