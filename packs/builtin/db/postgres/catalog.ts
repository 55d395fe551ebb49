/** Queries of PostgreSQL's catalog. */

import type { JsonObject, JsonValue } from "#base";
import { noTable, type TableName } from "../engine.ts";

const KIND = `CASE c.relkind WHEN 'r' THEN 'table' WHEN 'p' THEN 'partitioned table'
  WHEN 'v' THEN 'view' WHEN 'm' THEN 'materialized view' WHEN 'f' THEN 'foreign table' END`;

/** Tables and views of the user's schemas; rows as of the last ANALYZE. */
export const TABLES = `SELECT n.nspname AS schema, c.relname AS name, ${KIND} AS kind,
  CASE WHEN c.reltuples >= 0 AND c.relkind <> 'v' THEN c.reltuples::bigint END AS rows
  FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
  WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f') AND n.nspname <> 'information_schema'
    AND n.nspname NOT LIKE 'pg\\_%'
  ORDER BY 1, 2`;

const RELATION = `SELECT c.oid::text AS id, n.nspname AS schema, ${KIND} AS kind,
  obj_description(c.oid) AS comment
  FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
  WHERE c.relname = $1 AND c.relkind IN ('r', 'p', 'v', 'm', 'f')
    AND ($2::text = '' AND pg_table_is_visible(c.oid) OR n.nspname = $2)`;
const COLUMNS = `SELECT a.attname AS name, format_type(a.atttypid, a.atttypmod) AS type,
  NOT a.attnotnull AS nullable, pg_get_expr(d.adbin, d.adrelid) AS "default",
  COALESCE(a.attnum = ANY (i.indkey), false) AS primary_key,
  col_description(a.attrelid, a.attnum) AS comment
  FROM pg_catalog.pg_attribute a
  LEFT JOIN pg_catalog.pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
  LEFT JOIN pg_catalog.pg_index i ON i.indrelid = a.attrelid AND i.indisprimary
  WHERE a.attrelid = $1::oid AND a.attnum > 0 AND NOT a.attisdropped ORDER BY a.attnum`;
const INDEXES = `SELECT c.relname AS name, i.indisunique AS "unique",
  ARRAY(SELECT pg_get_indexdef(i.indexrelid, k, true)
    FROM generate_series(1, i.indnkeyatts) AS k) AS columns
  FROM pg_catalog.pg_index i JOIN pg_catalog.pg_class c ON c.oid = i.indexrelid
  WHERE i.indrelid = $1::oid ORDER BY 1`;
const REFERENCES = `SELECT
  ARRAY(SELECT a.attname::text FROM unnest(k.conkey) WITH ORDINALITY AS u(num, at)
    JOIN pg_catalog.pg_attribute a ON a.attrelid = k.conrelid AND a.attnum = u.num
    ORDER BY u.at) AS columns,
  k.confrelid::regclass::text AS "table",
  ARRAY(SELECT a.attname::text FROM unnest(k.confkey) WITH ORDINALITY AS u(num, at)
    JOIN pg_catalog.pg_attribute a ON a.attrelid = k.confrelid AND a.attnum = u.num
    ORDER BY u.at) AS targets
  FROM pg_catalog.pg_constraint k WHERE k.contype = 'f' AND k.conrelid = $1::oid`;
const SOURCE = "SELECT pg_get_viewdef($1::oid, true) AS sql";

type Ask = (sql: string, ...params: JsonValue[]) => Promise<readonly JsonObject[]>;

/** Describes the columns, indexes and references of a table or view. Throws `PackError`. */
export async function describeTable(
  { table, schema = "" }: TableName,
  ask: Ask,
): Promise<JsonObject> {
  const [relation] = await ask(RELATION, table, schema);
  if (!relation) throw noTable(table);
  const { id = null, ...about } = relation;
  const isView = String(about.kind).endsWith("view");
  const [columns, indexes, references, [source]] = await Promise.all([
    ask(COLUMNS, id),
    ask(INDEXES, id),
    ask(REFERENCES, id),
    isView ? ask(SOURCE, id) : [],
  ]);
  const definition = source?.sql ?? null;
  return { name: table, ...about, columns, indexes, references, definition };
}
