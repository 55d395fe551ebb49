/** Limits of what filters and variables of a template may hold: a short template could make texts and
 * lists that fill the memory of its thread, or of the process. */

import { TemplateError } from "./error.ts";

export type Filter = (this: unknown, ...values: unknown[]) => unknown;

/** Longest text of a filter and of a variable. */
const MOST_CHARACTERS = 10_000_000;
/** Characters that a list or an object counts as. */
const LIST_COST = 10;
/** Largest width of a text, and number of parts of a list. */
const MOST_COUNT = 100_000;

/** Filters whose result is as large as an argument says. */
const COUNTS: Readonly<Record<string, (...values: unknown[]) => number>> = {
  batch: (_, count) => Number(count),
  center: (_, width) => Number(width),
  indent: (_, width) => Number(width),
  slice: (_, count) => Number(count),
};
/** Characters of the results of filters that repeat an argument. */
const SIZES: Readonly<Record<string, (...values: unknown[]) => number>> = {
  indent: (text, width = 4) => partsOf(text, "\n") * Number(width) + sizeOf(text),
  join: (items, separator) => sizeOf(items) + lengthOf(items) * sizeOf(separator),
  replace: (text, old, by) => sizeOf(text) + partsOf(text, old) * sizeOf(by),
};

export const BOUNDED_FILTERS = [...new Set([...Object.keys(COUNTS), ...Object.keys(SIZES)])];

/** Makes a filter that throws `TemplateError` instead of a result that is too large. */
export function boundedFilter(name: string, filter: Filter): Filter {
  return function (...values) {
    if ((COUNTS[name]?.(...values) ?? 0) > MOST_COUNT) {
      throw new TemplateError(`The template asks "${name}" for more than ${MOST_COUNT}`);
    }
    if ((SIZES[name]?.(...values) ?? 0) > MOST_CHARACTERS) throw tooLong(`"${name}" makes`);
    return filter.call(this, ...values);
  };
}

/** Throws `TemplateError` for the value of a variable that is too large. */
export function checkVariable(value: unknown): void {
  if (sizeOf(value) > MOST_CHARACTERS) throw tooLong("a variable holds");
}

function tooLong(what: string): TemplateError {
  return new TemplateError(`In the template ${what} more than ${MOST_CHARACTERS} characters`);
}

/** Characters of a value's text, at least; the count ends soon after the limit. */
function sizeOf(value: unknown): number {
  const stack = [value];
  let size = 0;
  while (stack.length > 0 && size <= MOST_CHARACTERS) {
    const item = stack.pop();
    size += 1;
    if (typeof item === "string" || item instanceof String) size += item.length;
    else if (typeof item === "object" && item !== null) {
      size += LIST_COST;
      for (const part of Object.values(item)) stack.push(part);
    }
  }
  return size;
}

function lengthOf(items: unknown): number {
  return Array.isArray(items) || typeof items === "string" ? items.length : 0;
}

/** Number of the parts that a separator, as a filter reads it, divides a text into. */
function partsOf(text: unknown, separator: unknown): number {
  const whole = String(text);
  const between = String(separator);
  if (between === "") return whole.length + 2;
  let count = 1;
  for (let at = whole.indexOf(between); at !== -1; at = whole.indexOf(between, at)) {
    at += between.length;
    count++;
  }
  return count;
}
