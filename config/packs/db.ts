/** Settings of the `db` pack. */

import type { DbConnection, DbSettings } from "#packs";
import { expandPath } from "../find.ts";
import type { Infer, ObjectRule } from "../rule.ts";
import { amount, count, flag, seconds, text } from "../rule_makers.ts";
import type { PackPlace } from "./place.ts";

const MB = 1024 * 1024;

const URL_ABOUT = "sqlite:path/to/file.db, relative to the project, or postgres://user@host/name";

export const DB = {
  kind: "object",
  about: "The pack db: reads, and where it may writes, SQLite and PostgreSQL databases",
  keys: {
    enabled: flag("false switches the pack off"),
    connections: {
      kind: "map",
      about: "Databases by name",
      values: {
        kind: "either",
        about: "A database",
        of: [text(URL_ABOUT), {
          kind: "object",
          about: "A database with its rules",
          keys: {
            url: text(URL_ABOUT),
            write: flag("true lets db.execute change it"),
            superuser: flag("true takes a PostgreSQL superuser also where only reading is allowed"),
          },
        }],
      },
    },
    timeout: seconds("Seconds that one statement may take (30)", 0.001),
    max_rows: count("Rows that one call may give (10000)", 1, 1_000_000),
    max_result_mb: amount("Largest result of one call, MB (8)", 512),
  },
} as const satisfies ObjectRule;

/** The settings with every default filled in. */
export function resolveDb(raw: Infer<typeof DB>, place: PackPlace): DbSettings {
  const connections = [...raw.connections ?? []].map(([name, given]) => {
    const { url = "", write = false, superuser = false } = typeof given === "string"
      ? { url: given }
      : given;
    return { name, write, superuser, target: target(url, place) };
  });
  return {
    enabled: raw.enabled ?? true,
    connections,
    timeoutMs: (raw.timeout ?? 30) * 1000,
    maxRows: raw.max_rows ?? 10_000,
    maxResultBytes: Math.round((raw.max_result_mb ?? 8) * MB),
  };
}

/** Where the database is; what cannot be used is said by name when it is, and never shown. */
function target(url: string, { project, home }: PackPlace): DbConnection["target"] {
  const sqlite = /^sqlite:(?:\/\/(?=\/))?(?<path>.+)$/.exec(url)?.groups?.path;
  if (sqlite !== undefined) {
    return { kind: "sqlite", path: expandPath(sqlite, { home, base: project }) };
  }
  if (/^postgres(ql)?:\/\//.test(url) && URL.canParse(url)) {
    return { kind: "postgres", url };
  }
  return { kind: "unknown" };
}
