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

/** Path in a URL of an SQLite file, as it is written: for packs, for rules and for trust. */
export function sqlitePath(url: string): string | undefined {
  return /^sqlite:(?:\/\/(?=\/))?(?<path>.+)$/s.exec(url)?.groups?.path;
}

/** Parameters of a URL of PostgreSQL that name files for TLS. */
const TLS_FILES = ["sslcert", "sslrootcert", "sslkey"];

/** Files for TLS of a database, as absolute paths. */
export function postgresFiles(target: DbTarget) {
  const parameters = new URL(target.kind === "postgres" ? target.url : "none:").searchParams;
  const at = (...names: string[]) => names.flatMap((name) => parameters.get(name) || []);
  return { certificates: at("sslcert", "sslrootcert"), keys: at("sslkey") };
}

/** Reads a URL; one that cannot be used is named where it is used, and never shown. */
function databaseOf(url: string, context: RuleContext): DbTarget {
  const sqlite = sqlitePath(url);
  if (sqlite !== undefined) {
    return { kind: "sqlite", path: pathOf(sqlite, context) };
  }
  if (!/^postgres(ql)?:\/\//.test(url) || !URL.canParse(url)) return { kind: "unknown" };
  return { kind: "postgres", url: withPaths(url, context) };
}

function pathOf(path: string, { home, project }: RuleContext): string {
  return expandPath(path, { home, base: project });
}

/** The URL with the paths of its files made absolute: the driver reads them from the folder of the
 * process. Of several the last one counts, as it does there. */
function withPaths(url: string, context: RuleContext): string {
  const parsed = new URL(url);
  const named = TLS_FILES.flatMap((name) => {
    const path = parsed.searchParams.getAll(name).at(-1);
    return path ? [[name, path] as const] : [];
  });
  for (const [name, path] of named) parsed.searchParams.set(name, pathOf(path, context));
  return named.length > 0 ? parsed.href : url;
}
