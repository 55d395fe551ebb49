/** Reads the audit from the file of a project. */

import { attempt, isObject } from "#base";
import { openForReading } from "../store/database.ts";

export interface AuditQuery {
  /** Milliseconds since 1970; everything that is kept, where it is missing. */
  readonly since?: number;
  /** The newest so many; 1,000. */
  readonly most?: number;
}

/** Event as `toolscript audit --json` prints it. */
export interface AuditRecord {
  /** ISO 8601. */
  readonly at: string;
  readonly kind: string;
  readonly run: string | null;
  readonly client: string | null;
  readonly tool: string;
  readonly answer: string | null;
  readonly from: string | null;
  readonly code: string | null;
  readonly details: unknown;
}

const MOST = 1_000;

/** The events, oldest first. Throws errors of SQLite. */
export function readAudit(
  folder: string,
  { since = 0, most = MOST }: AuditQuery = {},
): readonly AuditRecord[] {
  const database = openForReading(folder);
  try {
    const sql = `SELECT at, kind, run, client, tool, answer, source, code, details FROM audit
                 WHERE at >= ? ORDER BY at DESC, id DESC LIMIT ?`;
    return database.prepare(sql).all(since, most).reverse().map(recordOf);
  } finally {
    database.close();
  }
}

function recordOf(row: Record<string, unknown>): AuditRecord {
  const text = (name: string) => typeof row[name] === "string" ? row[name] : null;
  return {
    at: new Date(Number(row.at)).toISOString(),
    kind: text("kind") ?? "",
    run: text("run"),
    client: text("client"),
    tool: text("tool") ?? "",
    answer: text("answer"),
    from: text("source"),
    code: text("code"),
    details: detailsOf(text("details")),
  };
}

/** Text where it was cut. */
function detailsOf(text: string | null): unknown {
  if (text === null) return null;
  const value: unknown = attempt(() => JSON.parse(text));
  return isObject(value) ? value : text;
}
