/** Results of parsers as JSON. */

import type { JsonValue } from "#base";
import { JobRefused } from "../../../jobs/protocol.ts";

const MAX_DEPTH = 500;

/** Converts a value to JSON: dates and integers too large for JSON become texts, NaN and Infinity
 * become null, and a key `__proto__` stays a key. */
export function plain(value: unknown, depth = 0): JsonValue {
  if (depth > MAX_DEPTH) throw new JobRefused(`it is nested more than ${MAX_DEPTH} levels deep`);
  if (value === null || typeof value === "string" || typeof value === "boolean") return value;
  if (typeof value === "number") return Number.isFinite(value) ? value : null;
  if (typeof value === "bigint") return String(value);
  if (value instanceof Date) return value.toISOString();
  if (value instanceof Uint8Array) return value.toBase64();
  if (Array.isArray(value)) return value.map((item) => plain(item, depth + 1));
  if (value instanceof Set) return [...value].map((item) => plain(item, depth + 1));
  const entries = value instanceof Map ? [...value] : Object.entries(value ?? {});
  return Object.fromEntries(
    entries.map(([key, item]) => [String(key), plain(item, depth + 1)]),
  );
}

/** Returns the value. Throws `JobRefused` if its JSON has more than `maxResult` characters. */
export function bounded<T>(value: T, maxResult: number): T {
  const length = JSON.stringify(value)?.length ?? 0;
  if (length <= maxResult) return value;
  const mb = (size: number) => (size / 2 ** 20).toFixed(1);
  throw new JobRefused(
    `the value has ${mb(length)} MB, at most ${mb(maxResult)} MB are given: ask for a part of it ` +
      "with data.query, or for its shape with data.schema",
  );
}
