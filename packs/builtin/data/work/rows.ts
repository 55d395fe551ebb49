/** CSV and TSV: rows of cells, and objects by the names in the first row. */

import type { JsonObject, JsonValue } from "#sandbox/json";
// @ts-types="./papaparse.d.ts"
import Papa from "papaparse";
import { JobRefused } from "../../kit/job_protocol.ts";

const SEEN = 10;

export interface RowOptions {
  /** Whether the first row names the columns. */
  readonly header: boolean;
  /** Whether numbers, true and false become values. */
  readonly typed: boolean;
  /** Found out where it is missing. */
  readonly delimiter?: string;
}

/** Objects by the names in the first row, or lists of cells. */
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

/** The delimiter, where the first lines all have the same number of cells, more than one. */
export function looksLikeRows(text: string): string | undefined {
  const { data, meta, errors } = Papa.parse<string[]>(text, {
    preview: SEEN,
    skipEmptyLines: "greedy",
  });
  const widths = new Set(data.map(({ length }) => length));
  if (errors.length > 0 || data.length < 2 || widths.size !== 1 || widths.has(1)) return undefined;
  return meta.delimiter;
}

/** Only what would be written the same again. */
function valueOf(text: string): JsonValue {
  if (text === "true" || text === "false") return text === "true";
  if (!/^-?\d/.test(text)) return text;
  const number = Number(text);
  return Number.isFinite(number) && String(number) === text ? number : text;
}

/** Every column has a name of its own. */
function columnNames(first: readonly string[]): string[] {
  const seen = new Set<string>();
  return first.map((cell, at) => {
    const name = cell.trim() === "" ? `column_${at + 1}` : cell.trim();
    let own = name;
    for (let count = 2; seen.has(own); count++) own = `${name}_${count}`;
    seen.add(own);
    return own;
  });
}

function tooLong(row: number, cells: number, names: number): JobRefused {
  return new JobRefused(
    `row ${row} has ${cells} cells and the header ${names}: pass header=false, or another delimiter`,
  );
}
