/** Table of names with one line of description each. */

const MOST_WIDTH = 48;
const LEAST_ROOM = 20;

export interface NamedItem {
  readonly name: string;
  readonly description: string;
}

/** Formats one line per row, with aligned descriptions, cut at the width of the terminal. */
export function namesTable(rows: readonly NamedItem[], columns: number): string {
  const width = Math.min(MOST_WIDTH, Math.max(0, ...rows.map(({ name }) => name.length)));
  return rows.map(({ name, description }) => {
    const first = description.trim().split("\n", 1)[0] ?? "";
    const room = Math.max(LEAST_ROOM, columns - width - 2);
    const short = first.length > room ? `${first.slice(0, room - 1)}…` : first;
    return `${name.padEnd(width)}  ${short}`.trimEnd();
  }).join("\n");
}
