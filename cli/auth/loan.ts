/** Loans of tokens, in the statistics of the project. */

import type { Config } from "#config";
import { recordRows } from "../stats/record_rows.ts";

export interface Loan {
  readonly pack: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly ms: number;
  /** Command that lends. */
  readonly by: "auth header" | "auth export";
}

/** Counts a loan as a call of `auth-header` or `auth-export`, and in the audit; what was lent is in
 * neither. */
export async function recordLoan(config: Config, { pack, at, ms, by }: Loan): Promise<void> {
  const row = { at, ms, run: null, client: by, code: null, bytesIn: 0, bytesOut: 0 };
  await recordRows(config, {
    at,
    calls: [{ ...row, pack, tool: by.replace(" ", "-") }],
    audit: [{ kind: "loan", tool: pack }],
  });
}
