/** Loans of tokens, in the statistics of the project. */

import { silent } from "#base";
import type { Config } from "#config";
import { createStatsStore } from "#runtime/stats";

export interface Loan {
  readonly pack: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly ms: number;
}

/** Counts a loan as a call of `auth-header`, and in the audit; what was lent is in neither. */
export function recordLoan({ stats }: Config, { pack, at, ms }: Loan): void {
  if (!stats.enabled) return;
  const { folder } = stats;
  const store = createStatsStore({ folder, log: silent, now: () => at });
  try {
    const row = { at, ms, run: null, client: "auth header", code: null, bytesIn: 0, bytesOut: 0 };
    const loan = { at, kind: "loan" as const, run: null, client: null, tool: pack };
    store.write({
      calls: [{ ...row, pack, tool: "auth-header" }],
      runs: [],
      toolsets: [],
      audit: [{ ...loan, answer: null, from: null, code: null, details: null }],
    });
  } finally {
    store.close();
  }
}
