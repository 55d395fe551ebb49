/** Table of names with one line of description each. */

import { visibleLine } from "#base";

const MOST_WIDTH = 48;
const LEAST_ROOM = 20;
const LINE_END = /[\r\n\v\f\u0085\u2028\u2029]/;

export interface NamedItem {
  readonly name: string;
  readonly description: string;
}

/** Formats one line per row, whatever the names, with aligned descriptions, cut at the width of the
 * terminal. */
export function namesTable(rows: readonly NamedItem[], columns: number): string {
  const names = rows.map(({ name }) => visibleLine(name));
  const width = names.reduce((most, { length }) => Math.min(MOST_WIDTH, Math.max(most, length)), 0);
  return rows.map(({ description }, at) => {
    const first = description.trim().split(LINE_END, 1)[0] ?? "";
    const room = Math.max(LEAST_ROOM, columns - width - 2);
    const short = first.length > room ? `${first.slice(0, room - 1)}…` : first;
    return `${(names[at] ?? "").padEnd(width)}  ${short}`.trimEnd();
  }).join("\n");
}
