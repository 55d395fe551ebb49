/** Sessions of agents, found in the times of their runs. */

import type { DatabaseSync } from "node:sqlite";
import type { TokensPerByte } from "./densities.ts";
import { number, type Scope } from "./scope.ts";

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
