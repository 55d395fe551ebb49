/** Rows of the benchmark, and their text. */

import type { Summary } from "./measure.ts";

export interface Row extends Summary {
  readonly what: string;
  readonly unit: "ms" | "/s" | "kB" | "MB" | "share";
  /** Factor by which it is faster than the baseline, by the medians. */
  readonly ratio?: number;
}

const HEAD = ["", "runs", "min", "median", "p95", "unit", "ratio"];

/** The rows as aligned text; the rows of each part below its title. */
export function formatTable(parts: ReadonlyMap<string, readonly Row[]>): string {
  const lines = [...parts].flatMap(([title, rows]) => [[title], ...rows.map(cells)]);
  const widths = HEAD.map((name, column) =>
    Math.max(
      ...[HEAD, ...lines].filter((line) => line.length > 1).map((line) =>
        (line[column] ?? name).length
      ),
    )
  );
  const align = (line: readonly string[]) =>
    line.map((cell, column) => {
      const width = widths[column] ?? 0;
      return column === 0 ? cell.padEnd(width) : cell.padStart(width);
    }).join("  ").trimEnd();
  return [HEAD, ...lines.flatMap((line) => line.length === 1 ? [[], line] : [line])]
    .map(align).join("\n");
}

/** A number with its significant digits. */
export function formatNumber(value: number): string {
  if (value >= 100) return value.toFixed(0);
  return value.toFixed(value >= 10 ? 1 : 2);
}

function cells({ what, runs, min, median, p95, unit, ratio }: Row): string[] {
  const numbers = runs === 1
    ? ["", formatNumber(median), ""]
    : [min, median, p95].map(formatNumber);
  const times = ratio === undefined ? "" : `${formatNumber(ratio)}×`;
  return [`  ${what}`, String(runs), ...numbers, unit, times];
}
