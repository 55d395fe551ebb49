/** Findings about learned results that may stop a program: uses that throw, whatever else is true. */

import type { CheckSource, Diagnostic } from "../../check/types.ts";

const PRIMITIVE = "string|number|boolean";
/** `Property 'map' does not exist on type 'string'`, also of lists. */
const NO_PROPERTY = new RegExp(
  `^Property '.*' does not exist on type '(?:${PRIMITIVE}|.*\\[\\])'`,
  "s",
);
const NO_FUNCTION = /Type '(?:String|Number|Boolean|.*\[\])' has no call signatures/;
/** A text, a number or a boolean in the place of a list. */
const NO_LIST = new RegExp(`type '(?:${PRIMITIVE})' (?:is not assignable to|to) .*\\[\\]'`, "i");
const NOT_ITERABLE = /^Type '(?!.*\b(?:undefined|null|never)\b).*'/s;
/** Call of a property, or a look into it, in the text behind its name. */
const USED = /^\s*!?\s*(?:\(|\[|`|\.(?!\.))/;
/** Lines that are read behind a name. */
const MOST_LINES = 20;

const RULES: Readonly<Record<number, RegExp>> = {
  2339: NO_PROPERTY,
  2551: NO_PROPERTY,
  2349: NO_FUNCTION,
  2322: NO_LIST,
  2345: NO_LIST,
  2352: NO_LIST,
  2461: NOT_ITERABLE,
  2488: NOT_ITERABLE,
  2495: NOT_ITERABLE,
  2548: NOT_ITERABLE,
  2549: NOT_ITERABLE,
};

/** The findings that stay. A property that the program also asks for without using it (`x.map ? …`)
 * may be missing. */
export function certainOf(doubtful: readonly Diagnostic[], source: CheckSource): Diagnostic[] {
  const matching = doubtful.filter(({ code, message }) => RULES[code]?.test(message));
  const tested = new Set(
    matching.filter((item) => isProperty(item) && !isUsed(item, source)).map(({ message }) =>
      message
    ),
  );
  return matching.filter(({ message }) => !tested.has(message));
}

function isProperty({ code }: Diagnostic): boolean {
  return code === 2339 || code === 2551;
}

function isUsed({ file, end_line, end_column }: Diagnostic, { files }: CheckSource): boolean {
  const lines = (files.get(file) ?? "").split(/\r\n|[\n\r\u2028\u2029]/);
  const [first = "", ...rest] = lines.slice(end_line - 1, end_line + MOST_LINES);
  return USED.test([first.slice(end_column - 1), ...rest].join("\n"));
}
