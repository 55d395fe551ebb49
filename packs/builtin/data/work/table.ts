/** Tables of lists of objects, or of lists of lists. */

import { markdownTable } from "markdown-table";
// @ts-types="./papaparse.d.ts"
import Papa from "papaparse";
import stringWidth from "string-width";
import { isObject, type JsonValue } from "#base";
import { JobRefused } from "../../../jobs/protocol.ts";

export interface TableInput {
  readonly as: "markdown" | "csv" | "tsv";
  /** Columns in this order; all of them if it is empty. */
  readonly columns: readonly string[];
  /** Markdown: longer cells are cut. */
  readonly maxWidth?: number;
}

/** Writes a table. Throws `JobRefused`. */
export function table(value: JsonValue, { as, columns, maxWidth }: TableInput): string {
  const { names, rows } = cellsOf(value, columns);
  if (as !== "markdown") {
    const delimiter = as === "tsv" ? "\t" : ",";
    const cells = rows.map((row) => row.map(cellText));
    return `${Papa.unparse([names, ...cells], { delimiter, newline: "\n" })}\n`;
  }
  const align = names.map((_, at) => rows.every((row) => isNumeric(row[at])) ? "r" : "l");
  const cells = rows.map((row) => row.map((cell) => markdownCell(cellText(cell), maxWidth)));
  const heads = names.map((name) => markdownCell(name, maxWidth));
  return `${markdownTable([heads, ...cells], { align, stringLength: stringWidth })}\n`;
}

interface Cells {
  readonly names: string[];
  readonly rows: JsonValue[][];
}

function cellsOf(value: JsonValue, columns: readonly string[]): Cells {
  const items = Array.isArray(value) ? value : [value];
  if (items.length > 0 && items.every(Array.isArray)) return ofLists(items, columns);
  if (!items.every(isObject)) {
    throw new JobRefused("a table is made of a list of objects, or of a list of lists");
  }
  const present = new Set(items.flatMap((item) => Object.keys(item)));
  const names = columns.length > 0 ? [...columns] : [...present];
  const unknown = items.length > 0 ? names.find((name) => !present.has(name)) : undefined;
  if (unknown !== undefined) {
    throw new JobRefused(
      `no row has a column ${JSON.stringify(unknown)}: there are ${
        [...present].slice(0, 30).join(", ")
      }`,
    );
  }
  const own = (item: object, name: string) =>
    Object.hasOwn(item, name) ? Reflect.get(item, name) as JsonValue : "";
  return { names, rows: items.map((item) => names.map((name) => own(item, name))) };
}

/** Cells of lists. Names come from `columns` or from the first list. */
function ofLists(lists: readonly JsonValue[][], columns: readonly string[]): Cells {
  const [first = [], ...rest] = lists;
  const hasNames = columns.length > 0;
  const width = lists.reduce((most, { length }) => Math.max(most, length), 0);
  const names = hasNames ? [...columns] : first.map((cell) => cellText(cell));
  while (names.length < width) names.push(`column_${names.length + 1}`);
  const rows = (hasNames ? lists : rest).map((row) => names.map((_, at) => row[at] ?? ""));
  return { names, rows };
}

function cellText(cell: JsonValue): string {
  if (cell === null) return "";
  return typeof cell === "string" ? cell : JSON.stringify(cell);
}

function isNumeric(cell: JsonValue | undefined): boolean {
  return typeof cell === "number" || cell === null || cell === "";
}

/** Escapes a text, so that it ends neither its cell nor the row. */
function markdownCell(text: string, maxWidth: number | undefined): string {
  const cut = maxWidth !== undefined && text.length > maxWidth
    ? `${[...text].slice(0, maxWidth - 1).join("")}…`
    : text;
  return cut.replaceAll("\\", "\\\\").replaceAll("|", "\\|").replaceAll("<", "&lt;")
    .replaceAll(/\r\n|\r|\n/g, "<br>").trim();
}
