/** Query of the statistics over the stored rows. */

import type { DatabaseSync } from "node:sqlite";
import { bucketsOf } from "./buckets.ts";
import { tokensPerByte } from "./densities.ts";
import { CALLS_IN_SCOPE, nameOf, number, RUNS_IN_SCOPE, type Scope } from "./scope.ts";
import { perform } from "../store/schema.ts";
import { savingsOf, type ToolSavings } from "./savings.ts";
import type { Period, StatsData, StatsQuery, ToolStats } from "../types.ts";

const DAY_MS = 86_400_000;
const SPANS = { day: DAY_MS, week: 7 * DAY_MS, month: 30 * DAY_MS, all: Infinity } as const;
/** Tools that are told of one by one. */
const MAX_TOOLS = 50;
const MAX_LISTED = 20;

/** Computes the result of a query: some seconds for hundreds of thousands of calls. */
export function queryStats(database: DatabaseSync, query: StatsQuery, now: number): StatsData {
  const span = SPANS[query.period];
  const scope: Scope = {
    from: Number.isFinite(span) ? now - span : 0,
    until: now,
    ...(query.tool === undefined ? { pack: null, tool: null } : findTool(database, query.tool)),
  };
  // One snapshot for all reads, independent of writes meanwhile.
  perform(database, "BEGIN");
  try {
    return read(database, query, scope);
  } finally {
    perform(database, "ROLLBACK");
  }
}

function read(database: DatabaseSync, query: StatsQuery, scope: Scope): StatsData {
  const calls = totals(database, scope);
  const runs = runTotals(database, scope);
  const saved = savingsOf(database, scope, tokensPerByte(database));
  const since = [calls.first, runs.first].filter((at) => at !== null);
  const start = since.length > 0 ? Math.min(...since) : null;
  return {
    period: query.period,
    since: start === null ? null : new Date(start).toISOString(),
    until: new Date(scope.until).toISOString(),
    tool: scope.pack === null ? null : nameOf(scope.pack, scope.tool ?? ""),
    total_calls: calls.count,
    success_rate: percentage(calls.count - calls.failed, calls.count),
    context_saved: saved.contextSaved,
    time_saved_ms: saved.timeSavedMs,
    runs: {
      total: runs.count,
      success_rate: percentage(runs.count - runs.failed, runs.count),
      avg_ms: tenths(runs.avgMs),
      look: runs.look,
    },
    savings: saved.savings,
    tools: toolStats(database, scope, saved.byTool),
    errors: errors(database, scope),
    clients: clients(database, scope),
    buckets: bucketsOf(database, { ...scope, from: startOf(query.period, scope, start) }),
  };
}

/** The tool that a name means, however it is spelt: `brave.web_search`, `brave.webSearch`,
 * `brave__web_search`. */
function findTool(database: DatabaseSync, name: string): { pack: string; tool: string } {
  const plainName = plain(name);
  const tools = database.prepare("SELECT DISTINCT pack, tool FROM calls").all()
    .map(({ pack, tool }) => ({ pack: String(pack), tool: String(tool) }));
  const exact = tools.find(({ pack, tool }) => nameOf(pack, tool) === name);
  const alike = exact ?? tools.find(({ pack, tool }) => plain(nameOf(pack, tool)) === plainName);
  const [pack = "", ...rest] = name.split(".");
  return alike ?? { pack, tool: rest.join(".") };
}

function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, "");
}

/** Charts of a period begin with it, those of all time with the first that was kept. */
function startOf(period: Period, scope: Scope, first: number | null): number {
  return period === "all" ? first ?? scope.until - DAY_MS : scope.from;
}

function totals(database: DatabaseSync, { from, pack, tool }: Scope) {
  const row = database.prepare(
    `SELECT COUNT(*) AS count, COUNT(code) AS failed, MIN(at) AS first
     FROM calls WHERE ${CALLS_IN_SCOPE}`,
  ).get({ from, pack, tool });
  return { count: number(row?.count), failed: number(row?.failed), first: edge(row?.first) };
}

function runTotals(database: DatabaseSync, { from, pack, tool }: Scope) {
  const row = database.prepare(
    `SELECT COUNT(*) AS count, COUNT(code) AS failed, AVG(ms) AS avg_ms, MIN(at) AS first,
       SUM(look) AS look
     FROM runs WHERE within IS NULL AND ${RUNS_IN_SCOPE}`,
  ).get({ from, pack, tool });
  return {
    count: number(row?.count),
    failed: number(row?.failed),
    avgMs: number(row?.avg_ms),
    look: number(row?.look),
    first: edge(row?.first),
  };
}

function toolStats(
  database: DatabaseSync,
  { from, pack, tool }: Scope,
  saved: ReadonlyMap<string, ToolSavings>,
): ToolStats[] {
  const rows = database.prepare(
    `SELECT pack, tool, COUNT(*) AS calls, COUNT(code) AS failed, AVG(ms) AS avg_ms,
       SUM(bytes_in) AS bytes_in, SUM(bytes_out) AS bytes_out
     FROM calls WHERE ${CALLS_IN_SCOPE}
     GROUP BY pack, tool ORDER BY calls DESC, pack, tool LIMIT ${MAX_TOOLS}`,
  ).all({ from, pack, tool });
  const slow = new Map(
    database.prepare(
      `SELECT pack, tool, MIN(ms) AS ms FROM (
         SELECT pack, tool, ms, CUME_DIST() OVER (PARTITION BY pack, tool ORDER BY ms) AS rank
         FROM calls WHERE ${CALLS_IN_SCOPE}
       ) WHERE rank >= 0.95 GROUP BY pack, tool`,
    ).all({ from, pack, tool }).map((row) => {
      return [nameOf(String(row.pack), String(row.tool)), number(row.ms)] as const;
    }),
  );
  return rows.map((row) => {
    const calls = number(row.calls);
    const name = nameOf(String(row.pack), String(row.tool));
    const { tokens = 0, ms = 0 } = saved.get(name) ?? {};
    return {
      tool: name,
      calls,
      success_rate: percentage(calls - number(row.failed), calls),
      avg_ms: tenths(number(row.avg_ms)),
      p95_ms: tenths(slow.get(name) ?? 0),
      bytes_in: number(row.bytes_in),
      bytes_out: number(row.bytes_out),
      context_saved: Math.max(0, Math.round(tokens)),
      time_saved_ms: Math.max(0, Math.round(ms)),
    };
  });
}

function errors(database: DatabaseSync, { from, pack, tool }: Scope) {
  return database.prepare(
    `SELECT code, COUNT(*) AS count FROM calls WHERE code IS NOT NULL AND ${CALLS_IN_SCOPE}
     GROUP BY code ORDER BY count DESC, code LIMIT ${MAX_LISTED}`,
  ).all({ from, pack, tool })
    .map(({ code, count }) => ({ code: String(code), count: number(count) }));
}

function clients(database: DatabaseSync, { from, pack, tool }: Scope) {
  return database.prepare(
    `SELECT client, SUM(runs) AS runs, SUM(calls) AS calls FROM (
       SELECT client, 0 AS runs, COUNT(*) AS calls FROM calls
         WHERE ${CALLS_IN_SCOPE} GROUP BY client
       UNION ALL
       SELECT client, COUNT(*) AS runs, 0 AS calls FROM runs
         WHERE within IS NULL AND ${RUNS_IN_SCOPE} GROUP BY client
     ) GROUP BY client ORDER BY runs DESC, calls DESC, client LIMIT ${MAX_LISTED}`,
  ).all({ from, pack, tool }).map(({ client, runs, calls }) => ({
    client: String(client),
    runs: number(runs),
    calls: number(calls),
  }));
}

/** Of nothing, nothing has failed. */
function percentage(part: number, whole: number): number {
  return whole === 0 ? 100 : tenths(100 * part / whole);
}

function tenths(value: number): number {
  return Math.round(value * 10) / 10;
}

function edge(value: unknown): number | null {
  return typeof value === "number" ? value : null;
}
