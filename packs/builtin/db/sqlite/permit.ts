/** What SQLite is let do, operation by operation, whatever the SQL looks like. */

/** Operations by the numbers of SQLite's C interface, which never change. */
const OPERATIONS = {
  pragma: 19,
  createVirtual: 29,
  dropVirtual: 30,
  function: 31,
} as const;
/** Reading a column, selecting, recursion. */
const READ = new Set([20, 21, 33]);
/** Beside reading, where the connection may write: create (1-8), delete (9), drop (10-17), insert
 * (18), update (23), alter (26), reindex (27), analyze (28). Transactions (22, 32), attach (24) and
 * detach (25) are not among them. */
const WRITE = new Set([
  ...[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18],
  ...[23, 26, 27, 28],
]);
const OK = 0;
const DENY = 1;
/** These tell something, with or without an argument. */
const TELLING = new Set(
  ("table_info table_xinfo table_list index_list index_info index_xinfo foreign_key_list " +
    "foreign_key_check database_list collation_list function_list module_list pragma_list " +
    "compile_options integrity_check quick_check data_version page_count freelist_count").split(
      " ",
    ),
);
/** These tell without an argument, and set with one. */
const SETTING = new Set(
  ("user_version application_id encoding page_size journal_mode schema_version foreign_keys " +
    "auto_vacuum cache_size").split(" "),
);
const HARMLESS_TO_SET = new Set(["user_version", "application_id"]);
/** Functions that reach code or files. */
const CLOSED = new Set(["load_extension", "fts3_tokenizer", "readfile", "writefile", "edit"]);
const MODULES = new Set(["fts5", "rtree", "fts4", "fts3"]);

/** An authorizer of SQLite: no other databases, no extensions, no schema written by hand, and no
 * change at all without `write`. */
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
  if (READ.has(code)) return true;
  if (code === OPERATIONS.function) return !CLOSED.has((second ?? "").toLowerCase());
  if (code === OPERATIONS.pragma) {
    const name = (first ?? "").toLowerCase();
    if (TELLING.has(name)) return true;
    if (!SETTING.has(name)) return false;
    return second === null || (write && HARMLESS_TO_SET.has(name));
  }
  if (!write) return false;
  if (code === OPERATIONS.createVirtual || code === OPERATIONS.dropVirtual) {
    return MODULES.has((second ?? "").toLowerCase());
  }
  return WRITE.has(code);
}
