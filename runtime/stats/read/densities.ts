/** Tokens per byte of a text, measured on texts of the same kind. */

import type { DatabaseSync } from "node:sqlite";

/** Measured with o200k over the definitions of 36 public MCP servers; for a store whose gateways
 * never lived long enough to count tokens. */
const UNCOUNTED = 0.24;
/** Least number of bytes for an average of its own. */
const LEAST_BYTES = 200;

export interface TokensPerByte {
  /** The tokens of so many bytes of a kind. */
  tokens(kind: string, bytes: number): number;
  /** The share of the bytes asked about so far whose own kind was counted. */
  measured(): number;
}

/** Reads the measured densities; a kind without one uses the average of all. */
export function tokensPerByte(database: DatabaseSync): TokensPerByte {
  const measured = new Map<string, number>();
  const sum = { bytes: 0, tokens: 0 };
  for (const row of database.prepare("SELECT kind, bytes, tokens FROM densities").all()) {
    const [bytes, tokens] = [Number(row.bytes), Number(row.tokens)];
    sum.bytes += bytes;
    sum.tokens += tokens;
    if (bytes >= LEAST_BYTES) measured.set(String(row.kind), tokens / bytes);
  }
  const average = sum.bytes >= LEAST_BYTES ? sum.tokens / sum.bytes : UNCOUNTED;
  const total = { all: 0, sampled: 0 };
  return {
    tokens(kind, bytes) {
      const own = measured.get(kind);
      total.all += bytes;
      if (own !== undefined) total.sampled += bytes;
      return bytes * (own ?? average);
    },
    measured: () => total.all === 0 ? 0 : total.sampled / total.all,
  };
}
