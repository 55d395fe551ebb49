/** Statistics as a table for a person. */

import { escapeUnseen, isObject, type JsonObject } from "#base";
import { duration, short, size, whole } from "#runtime/stats";

export interface TableOptions {
  readonly columns: number;
  readonly colors: boolean;
  /** True for a terminal, where text of tools is escaped. */
  readonly terminal: boolean;
}

const PAINTS = { bold: 1, dim: 2, red: 31, green: 32 } as const;
type Paint = (kind: keyof typeof PAINTS, text: string) => string;

const PERIODS: Readonly<Record<string, string>> = {
  day: "Last 24 hours",
  week: "Last 7 days",
  month: "Last 30 days",
  all: "All time",
};
const HEAD = ["TOOL", "CALLS", "OK", "AVG", "P95", "RECEIVED", "SAVED"];
const LEAST_NAME = 12;
const GAP = "  ";

/** Builds the text, with a newline at its end. */
export function statsTable(
  value: JsonObject,
  { columns, colors, terminal }: TableOptions,
): string {
  const paint: Paint = (kind, text) => colors ? `\x1b[${PAINTS[kind]}m${text}\x1b[0m` : text;
  const name = (text: unknown) => terminal ? escapeUnseen(oneLine(text)) : oneLine(text);
  const tools = listOf(value.tools);
  const title = PERIODS[String(value.period)] ?? "";
  const subject = typeof value.tool === "string" ? `: ${name(value.tool)}` : "";
  const lines = [paint("bold", `${title}${subject}`), ...figures(value, paint)];
  if (tools.length > 0) lines.push("", ...table(tools, { columns, paint, name }));
  const errors = listOf(value.errors);
  if (errors.length > 0) {
    const counts = errors.map(({ code, count }) => `${name(code)} ${whole(numberOf(count))}`);
    lines.push("", `Errors: ${counts.join(", ")}`);
  }
  const clients = listOf(value.clients);
  if (clients.length > 0) {
    const counts = clients.map(({ client, runs }) => `${name(client)} ${whole(numberOf(runs))}`);
    lines.push(`${errors.length > 0 ? "" : "\n"}Runs by client: ${counts.join(", ")}`);
  }
  return `${lines.join("\n")}\n`;
}

function figures(value: JsonObject, paint: Paint): string[] {
  const runs = isObject(value.runs) ? value.runs : {};
  const calls = numberOf(value.total_calls);
  if (calls + numberOf(runs.total) === 0) return ["No run and no call was recorded."];
  const ok = `${numberOf(value.success_rate)} % ok`;
  const saved = `${short(numberOf(value.context_saved))} tokens`;
  const time = duration(numberOf(value.time_saved_ms));
  return [
    `${plural(calls, "call")} (${ok}) in ${plural(numberOf(runs.total), "run")}`,
    `Saved: ${paint("green", saved)} of context, ${paint("green", time)}`,
  ];
}

function plural(count: number, name: string): string {
  return `${whole(count)} ${name}${count === 1 ? "" : "s"}`;
}

interface Look {
  readonly columns: number;
  readonly paint: Paint;
  readonly name: (text: unknown) => string;
}

function table(
  tools: readonly Readonly<Record<string, unknown>>[],
  { columns, paint, name }: Look,
): string[] {
  const rows = tools.map((tool) => [
    name(tool.tool),
    whole(numberOf(tool.calls)),
    `${numberOf(tool.success_rate)} %`,
    duration(numberOf(tool.avg_ms)),
    duration(numberOf(tool.p95_ms)),
    size(numberOf(tool.bytes_out)),
    short(numberOf(tool.context_saved)),
  ]);
  const widths = HEAD.map((head, at) =>
    Math.max(head.length, ...rows.map((row) => row[at]?.length ?? 0))
  );
  const others = widths.slice(1).reduce((sum, width) => sum + width + GAP.length, 0);
  const first = Math.max(LEAST_NAME, Math.min(widths[0] ?? 0, columns - others));
  const line = (cells: readonly string[]) =>
    cells.map((cell, at) =>
      at === 0 ? cut(cell, first).padEnd(first) : cell.padStart(widths[at] ?? 0)
    );
  return [
    paint("dim", line(HEAD).join(GAP)),
    ...rows.map((row, index) => {
      const cells = line(row);
      const isBad = numberOf(tools[index]?.success_rate) < 95;
      return cells.map((cell, at) => at === 2 && isBad ? paint("red", cell) : cell).join(GAP);
    }),
  ];
}

function cut(text: string, width: number): string {
  return text.length > width ? `${text.slice(0, width - 1).toWellFormed()}…` : text;
}

function oneLine(text: unknown): string {
  return String(text).replaceAll(/\s+/g, " ");
}

function listOf(value: unknown): readonly Readonly<Record<string, unknown>>[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

function numberOf(value: unknown): number {
  return typeof value === "number" ? value : 0;
}
