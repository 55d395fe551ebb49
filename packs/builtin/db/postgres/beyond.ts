/** Functions of PostgreSQL that act beyond a read-only transaction. */

import { createTurns } from "#base";
import { PackError } from "../../../errors.ts";

/** Names of functions that act on other sessions, hold locks that others wait for, act on the server,
 * its replication or its indexes, or run a text. */
const NAMES = [
  "pg_(?:terminate|cancel)_backend",
  "pg_log_backend_memory_contexts",
  "pg_(?:try_)?advisory_(?:xact_)?lock(?:_shared)?",
  "pg_notify",
  "pg_create_(?:physical|logical)_replication_slot",
  "pg_copy_(?:physical|logical)_replication_slot",
  "pg_drop_replication_slot",
  "pg_replication_slot_advance",
  "pg_sync_replication_slots",
  "pg_logical_slot_get_(?:binary_)?changes",
  "pg_logical_emit_message",
  "pg_replication_origin_\\w+",
  "pg_switch_(?:wal|xlog)",
  "pg_(?:wal|xlog)_replay_(?:pause|resume)",
  "pg_create_restore_point",
  "pg_backup_(?:start|stop)",
  "pg_(?:start|stop)_backup",
  "pg_promote",
  "pg_reload_conf",
  "pg_rotate_logfile(?:_\\w+)?",
  "pg_stat_(?!get_)(?:\\w+_)?reset(?:_\\w+)?",
  "(?:query|cursor|table|schema|database)_to_xml(?:schema|_and_xmlschema)?",
  "brin_(?:de)?summarize_\\w+",
  "gin_clean_pending_list",
  "ts_(?:stat|rewrite)",
].join("|");
/** The whole of a word. */
const NAME = new RegExp(`^(?:${NAMES})$`, "i");
/** Beginning of the arguments, behind a name; comments are not read. */
const CALLS = /"?\s*(?:\(|\/\*|--)/y;
/** Text between a name and the word before it where the name is written as an attribute, which also
 * calls the function: `(1).name`; comments are not read. */
const ATTRIBUTE = /\.|\*\//;
/** The same where comments may end with a line. */
const ATTRIBUTE_IN_LINES = /\.|\*\/|[\r\n]/;
/** Characters of a name: PostgreSQL cuts longer ones there. */
const MOST_NAME = 63;
/** Words and lines that are read at once. */
const PIECE = 1_000;

/** A name by the numbers of its characters. */
const NUMBERED = /\bu&"/i;

/** Refuses a statement if a text of it names such a function. The texts are the statement and the
 * lines of its plan. A plan shows what views call, but nothing in LIMIT, VALUES or the frame of a
 * window, nor what a function calls. Reads each word once. Throws `PackError`. */
export async function refuseBeyond(texts: Iterable<string>): Promise<void> {
  const turn = createTurns();
  let count = 0;
  for (const text of texts) {
    if (++count % PIECE === 0) await turn();
    const attribute = text.includes("--") ? ATTRIBUTE_IN_LINES : ATTRIBUTE;
    let end = 0;
    for (const { 0: word, index } of text.matchAll(/\w+/g)) {
      if (++count % PIECE === 0) await turn();
      const name = word.slice(0, MOST_NAME);
      const before = end;
      end = index + word.length;
      if (!NAME.test(name)) continue;
      CALLS.lastIndex = end;
      if (CALLS.test(text) || attribute.test(text.slice(before, index))) throw beyond(name);
    }
  }
}

function beyond(name: string): PackError {
  return new PackError(
    "blocked",
    `Cannot run the statement: ${name}() acts beyond a read-only transaction, or runs a text that ` +
      "may: db.execute calls it, where the connection has write: true",
  );
}

/** Refuses names that `refuseBeyond` cannot read. Throws `PackError`. */
export function refuseNumbered(sql: string): void {
  if (!NUMBERED.test(sql)) return;
  throw new PackError(
    "blocked",
    'Cannot run the statement: a name as U&"…" may be that of a function that acts beyond a ' +
      "read-only transaction: write it plainly",
  );
}
