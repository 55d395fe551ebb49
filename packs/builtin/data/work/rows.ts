/** Reads CSV and TSV. */

// @ts-types="./papaparse.d.ts"
import Papa from "papaparse";
import type { JsonObject, JsonValue } from "#base";
import { JobRefused } from "../../../jobs/protocol.ts";
import { uniqueNames } from "../../kit/values.ts";

/** Rows to look at when the delimiter is detected. */
const PREVIEW = 10;

export interface RowOptions {
  /** True if the first row names the columns. */
  readonly header: boolean;
  /** True if numbers, true and false become values. */
  readonly typed: boolean;
  /** Detected if it is missing. */
  readonly delimiter?: string;
}

/** Reads rows as objects by the names in the first row, or as lists of cells. */
export function readRows(
  text: string,
  { header, typed, delimiter }: RowOptions,
): JsonObject[] | JsonValue[][] {
  const { data, errors } = Papa.parse<string[]>(text, {
    delimiter: delimiter ?? "",
    skipEmptyLines: "greedy",
  });
  const failure = errors.find(({ type }) => type === "Quotes");
  if (failure) throw new JobRefused(`row ${(failure.row ?? 0) + 1}: ${failure.message}`);
  const cell = (text: string) => typed ? valueOf(text) : text;
  const [first, ...rest] = data;
  if (!header || !first) return data.map((row) => row.map(cell));
  const names = columnNames(first);
  return rest.map((row, index) => {
    if (row.length > names.length) throw tooLong(index + 2, row.length, names.length);
    return Object.fromEntries(names.map((name, at) => [name, cell(row[at] ?? "")]));
  });
}

/** Delimiter if the first rows all have the same number of cells, at least two. */
export function looksLikeRows(text: string): string | undefined {
  const { data, meta, errors } = Papa.parse<string[]>(text, {
    preview: PREVIEW,
    skipEmptyLines: "greedy",
  });
  const widths = new Set(data.map(({ length }) => length));
  if (errors.length > 0 || data.length < 2 || widths.size !== 1 || widths.has(1)) return undefined;
  return meta.delimiter;
}

/** Converts a cell only if the value would be written the same way. */
function valueOf(text: string): JsonValue {
  if (text === "true" || text === "false") return text === "true";
  if (!/^-?\d/.test(text)) return text;
  const number = Number(text);
  return Number.isFinite(number) && String(number) === text ? number : text;
}

function columnNames(first: readonly string[]): string[] {
  return uniqueNames(first.map((cell, at) => cell.trim() || `column_${at + 1}`));
}

function tooLong(row: number, cells: number, names: number): JobRefused {
  return new JobRefused(
    `row ${row} has ${cells} cells and the header ${names}: pass header=false, or another delimiter`,
  );
}
