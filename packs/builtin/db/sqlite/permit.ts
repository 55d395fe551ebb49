/** Authorizer for SQLite: it decides by operation, not by the text of the SQL. */

/** Operations by their numbers in SQLite's C interface, which never change. */
const OPERATIONS = {
  pragma: 19,
  createVirtual: 29,
  dropVirtual: 30,
  function: 31,
} as const;
/** Reading a column, selecting, recursion. */
const READ_CODES = new Set([20, 21, 33]);
/** Operations for writing: create (1-8), delete (9), drop (10-17), insert (18), update (23), alter
 * (26), reindex (27), analyze (28). Without transactions (22, 32), attach (24) and detach (25). */
const WRITE_CODES = new Set([...Array.from({ length: 18 }, (_, at) => at + 1), 23, 26, 27, 28]);
const OK = 0;
const DENY = 1;
/** Pragmas that only read, with or without an argument. */
const READING_PRAGMAS = new Set(
  ("table_info table_xinfo table_list index_list index_info index_xinfo foreign_key_list " +
    "foreign_key_check database_list collation_list function_list module_list pragma_list " +
    "compile_options integrity_check quick_check data_version page_count freelist_count").split(
      " ",
    ),
);
/** Pragmas that read without an argument and set with one. */
const SETTING_PRAGMAS = new Set(
  ("user_version application_id encoding page_size journal_mode schema_version foreign_keys " +
    "auto_vacuum cache_size").split(" "),
);
const HARMLESS_TO_SET = new Set(["user_version", "application_id"]);
/** Functions that reach code or files. */
const CLOSED_FUNCTIONS = new Set([
  "load_extension",
  "fts3_tokenizer",
  "readfile",
  "writefile",
  "edit",
]);
const MODULES = new Set(["fts5", "rtree", "fts4", "fts3"]);

/** Makes an authorizer of SQLite. It denies other databases, extensions and direct changes of the
 * schema table, and without `write` every change. */
export function permit(
  write: boolean,
): (code: number, first: string | null, second: string | null) => number {
  return (code, first, second) => isPermitted(code, { write, first, second }) ? OK : DENY;
}

interface Operation {
  readonly write: boolean;
  readonly first: string | null;
  readonly second: string | null;
}

function isPermitted(code: number, { write, first, second }: Operation): boolean {
  if (READ_CODES.has(code)) return true;
  if (code === OPERATIONS.function) return !CLOSED_FUNCTIONS.has((second ?? "").toLowerCase());
  if (code === OPERATIONS.pragma) {
    const name = (first ?? "").toLowerCase();
    if (READING_PRAGMAS.has(name)) return true;
    if (!SETTING_PRAGMAS.has(name)) return false;
    return second === null || (write && HARMLESS_TO_SET.has(name));
  }
  if (!write) return false;
  if (code === OPERATIONS.createVirtual || code === OPERATIONS.dropVirtual) {
    return MODULES.has((second ?? "").toLowerCase());
  }
  return WRITE_CODES.has(code);
}
