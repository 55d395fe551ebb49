/** Findings about learned results that may stop a program: uses that throw, whatever else is true. */

import type { CheckSource, Diagnostic } from "../../check/types.ts";

/** A use of one type, as the compiler tells it; unions come from what the program does itself. */
const TYPE = "'(?<type>[^|]*)'";
const NO_PROPERTY = new RegExp(`^Property '.*' does not exist on type ${TYPE}`, "s");
const NO_FUNCTION = new RegExp(`Type ${TYPE} has no call signatures`, "s");
const NOT_ITERABLE = new RegExp(`^Type ${TYPE}`, "s");
const RULES: Readonly<Record<number, RegExp>> = {
  2339: NO_PROPERTY,
  2551: NO_PROPERTY,
  2349: NO_FUNCTION,
  2461: NOT_ITERABLE,
  2488: NOT_ITERABLE,
  2495: NOT_ITERABLE,
  2548: NOT_ITERABLE,
  2549: NOT_ITERABLE,
};
/** A value of the program's own in a place of another type, which it may use further as its own. */
const ASSIGNED =
  /^(?:Type|Argument of type) '.*' is not assignable to (?:parameter of )?type '(?<type>.*)'/s;
const PLAIN = /^(?:string|number|boolean|.*\[\])$/si;
const VAGUE = /\b(?:undefined|null|never)\b/;
/** Call of a property, or a look into it, in the text behind its name. */
const USED = /^\s*!?\s*(?:\(|\[|`|\.(?!\.))/;
/** Lines that are read behind a name. */
const MOST_LINES = 20;

/** Operators that choose between values: of their types the compiler names one. */
const CHOICE = /[?]|[|]{2}|&&/;

/** The findings that stay. Not those about a property that the program also asks for without using it
 * (`x.map ? …`), nor those about a type that it assigns another to. */
export function certainOf(doubtful: readonly Diagnostic[], source: CheckSource): Diagnostic[] {
  const assigned = new Set(doubtful.map(({ message }) => ASSIGNED.exec(message)?.groups?.type));
  const matching = doubtful.filter((item) => {
    const rule = RULES[item.code];
    const type = rule?.exec(item.message)?.groups?.type;
    if (type === undefined || assigned.has(type)) return false;
    if (rule !== NOT_ITERABLE) return PLAIN.test(type);
    return !VAGUE.test(type) && !CHOICE.test(textAt(item, source).subject);
  });
  const tested = new Set(
    matching.filter((item) =>
      RULES[item.code] === NO_PROPERTY && !USED.test(textAt(item, source).after)
    )
      .map(({ message }) => message),
  );
  return matching.filter(({ message }) => !tested.has(message));
}

/** The text that a finding is about, and the text behind it. */
function textAt(item: Diagnostic, { files }: CheckSource): { subject: string; after: string } {
  const { line, column, end_line, end_column } = item;
  const lines = (files.get(item.file) ?? "").split(/\r\n|[\n\r\u2028\u2029]/);
  const last = lines[end_line - 1] ?? "";
  const rest = lines.slice(end_line, end_line + MOST_LINES);
  const inner = lines.slice(line - 1, end_line - 1);
  const subject = [...inner, last.slice(0, end_column - 1)].join("\n").slice(column - 1);
  return { subject, after: [last.slice(end_column - 1), ...rest].join("\n") };
}
