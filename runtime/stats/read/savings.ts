/** Savings of runs: tokens that the agent neither read nor wrote, and turns that it did not take.
 *
 * Without Toolscript an agent reads the definitions of all tools once in a session, writes the
 * arguments of every call and reads every result, a turn for each. With it, it reads the tool
 * `run` and the instructions, writes programs and reads replies, a turn for each run. The
 * difference is the saving. Look-ups (`ot`) exist only with Toolscript: they count as cost.
 */

import type { DatabaseSync } from "node:sqlite";
import type { TokensPerByte } from "./densities.ts";
import { nameOf, number, type Scope } from "./scope.ts";
import { OWN_PACKS } from "#packs/server";
import { kindOf, type Savings } from "../types.ts";

/** Times of calls are kept to the millisecond. */
const CLOCK_MS = 2;

export interface ToolSavings {
  readonly tokens: number;
  readonly ms: number;
}

export interface Saved {
  readonly contextSaved: number;
  readonly timeSavedMs: number;
  readonly savings: Savings;
  readonly byTool: ReadonlyMap<string, ToolSavings>;
}

/** One tool's calls in one run, or in a part of it. */
interface Used {
  readonly name: string;
  readonly kind: string;
  readonly own: boolean;
  readonly count: number;
  readonly bytesIn: number;
  readonly bytesOut: number;
  readonly ms: number;
  readonly first: number;
  readonly last: number;
}

/** A run that no other contains. */
interface Whole {
  readonly bytesIn: number;
  readonly bytesOut: number;
  readonly used: readonly Used[];
}

/** Computes what the runs of a scope saved; for one tool its share of it. */
export function savingsOf(
  database: DatabaseSync,
  scope: Scope,
  density: TokensPerByte,
): Saved {
  const sessions = sessionsOf(database, scope, density);
  const byTool = new Map<string, ToolSavings>();
  const sum = { calls: 0, runs: 0, turns: 0, overlap: 0 };
  const toolName = scope.pack === null ? undefined : nameOf(scope.pack, scope.tool ?? "");
  for (const run of wholeRuns(database, scope)) {
    const share = shareOut(run, density, sessions.turnMs);
    if (toolName !== undefined && !share.parts.some(({ name }) => name === toolName)) continue;
    for (const key of ["calls", "runs", "turns", "overlap"] as const) sum[key] += share[key];
    for (const { name, tokens, ms } of share.parts) {
      const tool = byTool.get(name) ?? { tokens: 0, ms: 0 };
      byTool.set(name, { tokens: tool.tokens + tokens, ms: tool.ms + ms });
    }
  }
  // The definitions belong to no one tool.
  const schemas = toolName === undefined ? sessions.schemas : 0;
  const ofTool = toolName === undefined ? undefined : byTool.get(toolName);
  const tokens = toolName === undefined ? sum.calls - sum.runs + schemas : ofTool?.tokens ?? 0;
  const ms = toolName === undefined ? sum.turns * sessions.turnMs + sum.overlap : ofTool?.ms ?? 0;
  return {
    contextSaved: Math.max(0, Math.round(tokens)),
    timeSavedMs: Math.max(0, Math.round(ms)),
    byTool,
    savings: {
      schemas: Math.round(schemas),
      calls: Math.round(sum.calls),
      runs: Math.round(sum.runs),
      sessions: sessions.count,
      turns: sum.turns,
      turn_ms: Math.round(sessions.turnMs),
      overlap_ms: Math.round(sum.overlap),
      measured: Math.round(density.measured() * 100) / 100,
    },
  };
}

/** Computes the saving of one run, and each tool's part of it. */
function shareOut({ bytesIn, bytesOut, used }: Whole, density: TokensPerByte, turnMs: number) {
  const cost = density.tokens("program", bytesIn) + density.tokens("reply", bytesOut);
  const others = used.filter(({ own }) => !own).map((tool) => ({
    ...tool,
    tokens: density.tokens("arguments", tool.bytesIn) + density.tokens(tool.kind, tool.bytesOut),
  }));
  const calls = others.reduce((sum, { tokens }) => sum + tokens, 0);
  const count = others.reduce((sum, tool) => sum + tool.count, 0);
  const busy = others.reduce((sum, { ms }) => sum + ms, 0);
  const wall = count === 0
    ? 0
    : Math.max(...others.map(({ last }) => last)) - Math.min(...others.map(({ first }) => first));
  const beside = busy - wall;
  const overlap = beside > CLOCK_MS ? beside : 0;
  const turns = count - 1;
  const parts = others.map(({ name, tokens, count: own }) => ({
    name,
    tokens: tokens - cost * (calls === 0 ? own / count : tokens / calls),
    ms: (turns * turnMs + overlap) * own / count,
  }));
  return { runs: cost, calls, turns, overlap, parts };
}

/** Every run of a scope that has ended, with its calls and those of the runs inside it. */
function* wholeRuns(database: DatabaseSync, { from }: Scope): Generator<Whole> {
  const runs = new Map<string, Pick<Whole, "bytesIn" | "bytesOut">>();
  const ended = database.prepare(
    "SELECT run, bytes_in, bytes_out FROM runs WHERE within IS NULL AND at >= :from",
  ).iterate({ from });
  for (const { run, bytes_in, bytes_out } of ended) {
    runs.set(String(run), { bytesIn: number(bytes_in), bytesOut: number(bytes_out) });
  }
  // From each call to its run, by the run's index: the planner knows no better.
  const rows = database.prepare(
    `SELECT COALESCE(p.within, p.run) AS root, k.pack, k.tool, COUNT(*) AS count,
       SUM(k.bytes_in) AS bytes_in, SUM(k.bytes_out) AS bytes_out, SUM(k.ms) AS ms,
       MIN(k.at) AS first, MAX(k.at + k.ms) AS last
     FROM calls k CROSS JOIN runs p ON p.run = k.run
     WHERE k.at >= :from GROUP BY root, k.pack, k.tool ORDER BY root`,
  ).iterate({ from });
  let root = "";
  let used: Used[] = [];
  for (const row of rows) {
    const next = String(row.root);
    if (next !== root) {
      yield* whole(root, used);
      [root, used] = [next, []];
    }
    used.push(usedOf(row));
  }
  yield* whole(root, used);
  for (const sizes of runs.values()) yield { ...sizes, used: [] };

  function* whole(run: string, used: readonly Used[]): Generator<Whole> {
    const sizes = runs.get(run);
    if (sizes) yield { ...sizes, used };
    runs.delete(run);
  }
}

function usedOf(row: Readonly<Record<string, unknown>>): Used {
  const [pack, tool] = [String(row.pack), String(row.tool)];
  return {
    name: nameOf(pack, tool),
    kind: kindOf(pack, tool),
    own: OWN_PACKS.includes(pack),
    count: number(row.count),
    bytesIn: number(row.bytes_in),
    bytesOut: number(row.bytes_out),
    ms: number(row.ms),
    first: number(row.first),
    last: number(row.last),
  };
}

/** Pause after which a client's next run begins a new session. */
const PAUSE_MS = 30 * 60_000;
/** Longest gap that counts as a turn of the agent; a longer one is a pause of a person. */
const MAX_TURN_MS = 5 * 60_000;

export interface Sessions {
  readonly count: number;
  /** Tokens of definitions that were not sent, less those of what was sent in their place. */
  readonly schemas: number;
  /** The median time between a reply and the same client's next run. */
  readonly turnMs: number;
}

/** Finds the sessions of a scope; with a tool, those of all its runs all the same. */
export function sessionsOf(
  database: DatabaseSync,
  { from }: Scope,
  density: TokensPerByte,
): Sessions {
  const rows = database.prepare(
    `SELECT r.client, r.at, r.ms, t.id, t.bytes, t.offered
     FROM runs r LEFT JOIN toolsets t ON t.id = r.toolset
     WHERE r.within IS NULL AND r.at >= :from ORDER BY r.client, r.at`,
  ).iterate({ from });
  const gaps: number[] = [];
  let last: { client: string; end: number } | undefined;
  let count = 0;
  let schemas = 0;
  for (const row of rows) {
    const [client, at] = [String(row.client), number(row.at)];
    const gap = last?.client === client ? at - last.end : Infinity;
    if (gap > PAUSE_MS) {
      count++;
      const unsent = density.tokens(String(row.id), number(row.bytes));
      schemas += unsent - density.tokens("program", number(row.offered));
    } else if (gap > 0 && gap <= MAX_TURN_MS) gaps.push(gap);
    const end = at + number(row.ms);
    last = { client, end: last?.client === client ? Math.max(last.end, end) : end };
  }
  return { count, schemas: Math.max(0, schemas), turnMs: median(gaps) };
}

function median(values: number[]): number {
  values.sort((a, b) => a - b);
  const middle = values.length >> 1;
  const [low = 0, high = 0] = [values[middle - (values.length % 2 === 0 ? 1 : 0)], values[middle]];
  return values.length === 0 ? 0 : (low + high) / 2;
}
