/** Loans of tokens, in the statistics of the project. */

import { silent, sleep } from "#base";
import type { Config } from "#config";
import { createStatsStore } from "#runtime/stats";

export interface Loan {
  readonly pack: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly ms: number;
  /** Command that lends. */
  readonly by: "auth header" | "auth export";
}

const RETRY_MS = 20;
const MOST_TRIES = 100;

/** Counts a loan as a call of `auth-header` or `auth-export`, and in the audit; what was lent is in
 * neither. Waits while another process holds the file. */
export async function recordLoan({ stats }: Config, { pack, at, ms, by }: Loan): Promise<void> {
  if (!stats.enabled) return;
  const { folder } = stats;
  const store = createStatsStore({ folder, log: silent, now: () => at });
  try {
    const row = { at, ms, run: null, client: by, code: null, bytesIn: 0, bytesOut: 0 };
    const loan = { at, kind: "loan" as const, run: null, client: null, tool: pack };
    const batch = {
      calls: [{ ...row, pack, tool: by.replace(" ", "-") }],
      runs: [],
      toolsets: [],
      audit: [{ ...loan, answer: null, from: null, code: null, details: null }],
    };
    for (let tries = 1; !store.write(batch) && tries < MOST_TRIES; tries++) await sleep(RETRY_MS);
  } finally {
    store.close();
  }
}
