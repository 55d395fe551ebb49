/** Settings of the `db` pack. */

import type { RuleContext, Settings } from "../../rules/rule.ts";
import { expandPath } from "../../rules/expand_path.ts";
import { count, flag, map, megabytes, pack, section, text, timeout } from "../../rules/makers.ts";

/** Database that a URL names. */
export type DbTarget =
  | { readonly kind: "sqlite"; readonly path: string }
  | { readonly kind: "postgres"; readonly url: string }
  /** A URL of another kind, or an empty one. */
  | { readonly kind: "unknown" };

const CONNECTION = {
  ...section("A database with its rules", {
    url: text("`sqlite:path`, relative to the project, or `postgres://user@host/name`", {
      default: "",
      use: databaseOf,
    }),
    write: flag("`true` lets `db.execute` change it", { default: false }),
    superuser: flag("`true` takes a PostgreSQL superuser also where only reading is allowed", {
      default: false,
    }),
  }),
  short: "url",
};

export const DB = pack("The pack db: reads SQLite and PostgreSQL databases, and may change them", {
  connections: map("Databases by name: a URL, or `url`, `write` and `superuser`", CONNECTION),
  timeout: timeout("Seconds that one statement may take", 30),
  max_rows: count("Largest `limit` of a call", { default: 10_000, max: 1_000_000 }),
  max_result_mb: megabytes("Largest result of one call, MB", { default: 8, max: 512 }),
});
export type DbSettings = Settings<typeof DB>;
export type DbConnection = Settings<typeof CONNECTION> & { readonly name: string };

/** Path in a URL of an SQLite file, as it is written. */
export function sqlitePath(url: string): string | undefined {
  return /^sqlite:(?:\/\/(?=\/))?(?<path>.+)$/.exec(url)?.groups?.path;
}

/** Files that a URL of PostgreSQL names for TLS, as they are written. */
export function postgresFiles(target: DbTarget) {
  const url = target.kind === "postgres" ? new URL(target.url) : undefined;
  const at = (...names: string[]) =>
    names.flatMap((name) => url?.searchParams.getAll(name) ?? []).filter((path) => path !== "");
  return { certificates: at("sslcert", "sslrootcert"), keys: at("sslkey") };
}

/** Reads a URL; one that cannot be used is named where it is used, and never shown. */
function databaseOf(url: string, { home, project }: RuleContext): DbTarget {
  const sqlite = sqlitePath(url);
  if (sqlite !== undefined) {
    return { kind: "sqlite", path: expandPath(sqlite, { home, base: project }) };
  }
  if (/^postgres(ql)?:\/\//.test(url) && URL.canParse(url)) return { kind: "postgres", url };
  return { kind: "unknown" };
}
