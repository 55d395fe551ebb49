/** Rows of what a command did itself, in the statistics of the project. */

import { silent, sleep } from "#base";
import type { Config } from "#config";
import { type AuditEvent, auditRow, type CallRow, createStatsStore } from "#runtime/stats";

const RETRY_MS = 20;
const MOST_TRIES = 100;

export interface CommandRows {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly calls?: readonly CallRow[];
  /** Events without secrets. */
  readonly audit: readonly AuditEvent[];
}

/** Writes the rows, where the project keeps statistics. Waits while another process holds the file. */
export async function recordRows(
  { stats: { enabled, folder } }: Config,
  { at, calls = [], audit }: CommandRows,
): Promise<void> {
  if (!enabled) return;
  const store = createStatsStore({ folder, log: silent, now: () => at });
  try {
    const rows = audit.map((event) => auditRow(event, { at, redact: (text) => text }));
    const batch = { calls, runs: [], toolsets: [], audit: rows };
    for (let tries = 1; !store.write(batch) && tries < MOST_TRIES; tries++) await sleep(RETRY_MS);
  } finally {
    store.close();
  }
}
