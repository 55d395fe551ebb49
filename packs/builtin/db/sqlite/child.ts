/** Process for one SQLite file. It can be killed when a statement never ends, and its permissions
 * allow this file only. */

import { DatabaseSync, type StatementSync } from "node:sqlite";
import { isUnchecked } from "../../kit/checked_file.ts";
import { permit } from "./permit.ts";
import type {
  SqliteAnswer,
  SqliteRequest,
  SqliteRows,
  SqliteStatement,
  Value,
} from "./protocol.ts";

/** Memory limit of SQLite. */
const MOST_MEMORY = 256 * 1024 * 1024;

/** Characters of an error's message: a statement may put any text in it. */
const MOST_MESSAGE = 10_000;

/** Error in the input. All other messages are SQLite's own. */
class Refused extends Error {
  override readonly name = "Refused";
}

/** Methods that Deno has and its types lack. */
type Guarded = DatabaseSync & {
  setAuthorizer(authorizer: ReturnType<typeof permit> | null): void;
  enableDefensive(enabled: boolean): void;
};
type RowStatement = StatementSync & { setReturnArrays(enabled: boolean): void };

const lines = Deno.stdin.readable.pipeThrough(new TextDecoderStream());
let pending = "";
/** Last bytes of a journal that names another one. */
const MAGIC = [0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7];

await send({ kind: "ready" });
for await (const piece of lines) {
  pending += piece;
  for (let end = pending.indexOf("\n"); end >= 0; end = pending.indexOf("\n")) {
    const line = pending.slice(0, end);
    pending = pending.slice(end + 1);
    await send(answer(JSON.parse(line) as SqliteRequest));
  }
}

async function send(answer: SqliteAnswer): Promise<void> {
  const bytes = new TextEncoder().encode(`${JSON.stringify(answer)}\n`);
  for (let sent = 0; sent < bytes.length;) sent += await Deno.stdout.write(bytes.subarray(sent));
}

function answer(request: SqliteRequest): SqliteAnswer {
  try {
    return { kind: "done", results: run(request) };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { kind: "refused", message: message.slice(0, MOST_MESSAGE) };
  }
}

/** Opens the file for every request, to see the changes of other processes. */
function run(request: SqliteRequest): SqliteRows[] {
  const { path, write, statements, busyMs } = request;
  const before = lookAt(path);
  if (write && before && namesFile(path)) {
    throw new Refused(`its journal "${path}-journal" names another file: remove it`);
  }
  // Between both looks is no time for folders to be moved there and back.
  if (before) checkFile(before, request);
  const database = new DatabaseSync(path, { readOnly: !write, timeout: busyMs }) as Guarded;
  try {
    checkFile(lookAt(path), request);
    database.exec(`PRAGMA hard_heap_limit = ${MOST_MEMORY}`);
    database.enableDefensive(true);
    if (statements.length < 2) return inside(database, request);
    database.exec("BEGIN IMMEDIATE");
    const results = inside(database, request);
    database.setAuthorizer(null);
    database.exec("COMMIT");
    return results;
  } finally {
    database.close(); // rolls back what was not committed
  }
}

/** Throws if the file is another one than the one that was checked: a link that has appeared may lead to
 * one, or a folder with a hard link to one was moved there. */
function checkFile(
  info: Deno.FileInfo | undefined,
  { path, isReal, file }: SqliteRequest,
): void {
  const isSame = info && (!isReal || Deno.realPathSync(path) === path) && !isUnchecked(info, file);
  if (!isSame) throw new Refused("the file has changed meanwhile: retry");
}

/** The file behind a path; undefined where it is missing: a database is made then. */
function lookAt(path: string): Deno.FileInfo | undefined {
  try {
    return Deno.statSync(path);
  } catch {
    // SQLite tells why it cannot be opened.
    return undefined;
  }
}

function inside(database: Guarded, request: SqliteRequest): SqliteRows[] {
  database.setAuthorizer(permit(request.write));
  let left = request.maxBytes;
  return request.statements.map((statement) => {
    const { bytes, ...rows } = one(database, statement, { ...request, maxBytes: left });
    left -= bytes;
    return rows;
  });
}

/** Rows with their size as JSON. */
type Sized<T> = T & { readonly bytes: number };

function one(
  database: Guarded,
  { sql, params }: SqliteStatement,
  request: SqliteRequest,
): Sized<SqliteRows> {
  const statement = database.prepare(sql) as RowStatement;
  const rest = sql.slice(statement.sourceSQL.length);
  if (rest.replace(/--[^\n]*|\/\*[^]*?(?:\*\/|$)|[\s;]+/g, "") !== "") {
    throw new Refused("one statement at a time: several go in a list to db.execute");
  }
  statement.setReadBigInts(true);
  statement.setReturnArrays(true);
  const columns = statement.columns().map(({ name }) => String(name));
  if (columns.length === 0) {
    const { changes } = bind(params, (...values) => statement.run(...values));
    return { columns, rows: [], has_more: false, changed: Number(changes), bytes: 0 };
  }
  control(database, "SAVEPOINT taken", request);
  const nameBytes = JSON.stringify(columns).length;
  const result = take(database, { statement, params, nameBytes }, request);
  control(database, "RELEASE taken", request);
  return { columns, ...result };
}

/** Controls a transaction, which a statement of a program may not. */
function control(database: Guarded, sql: string, { write }: SqliteRequest): void {
  database.setAuthorizer(null);
  database.exec(sql);
  database.setAuthorizer(permit(write));
}

interface Taking extends Pick<SqliteStatement, "params"> {
  readonly statement: RowStatement;
  readonly nameBytes: number;
}

/** Reads rows within the limit. A change is made whole before its first row. On an error an iterator
 * ends without throwing: what ended is undone and repeated with `all`, which throws. */
function take(
  database: Guarded,
  { statement, params, nameBytes }: Taking,
  request: SqliteRequest,
): Sized<Omit<SqliteRows, "columns">> {
  const before = changesOf(database);
  const all = bind(params, (...values) => statement.iterate(...values));
  const rows = takeFirst(all, nameBytes, request);
  if (rows.has_more) return { ...rows, changed: changesOf(database) - before };
  control(database, "ROLLBACK TO taken", request);
  const undone = changesOf(database);
  // A statement with random values may give larger rows now.
  const whole = takeFirst(
    bind(params, (...values) => statement.all(...values)),
    nameBytes,
    request,
  );
  return { ...whole, changed: changesOf(database) - undone };
}

/** Takes the rows that fit beside the names of the columns, which each row has too. */
function takeFirst(
  all: Iterable<unknown>,
  nameBytes: number,
  { limit, maxBytes }: SqliteRequest,
): Sized<Pick<SqliteRows, "rows" | "has_more">> {
  const rows: Value[][] = [];
  let bytes = nameBytes;
  if (bytes > maxBytes) throw tooLarge("its columns are");
  for (const row of all) {
    if (rows.length === limit) return { rows, bytes, has_more: true };
    const values = outwards(row);
    const size = JSON.stringify(values).length + nameBytes;
    if (bytes + size > maxBytes) {
      if (rows.length === 0) throw tooLarge("its first row is");
      return { rows, bytes, has_more: true };
    }
    bytes += size;
    rows.push(values);
  }
  return { rows, bytes, has_more: false };
}

function tooLarge(part: string): Refused {
  return new Refused(
    `${part} larger than a result may be: select fewer columns, give them shorter names, or run ` +
      "fewer statements in one call",
  );
}

function changesOf(database: DatabaseSync): number {
  const counter = database.prepare("SELECT total_changes() AS n").get();
  return Number(counter?.n ?? 0);
}

type Bindable = null | number | bigint | string | Uint8Array;
// deno-lint-ignore no-explicit-any
type Run<T> = (...values: any[]) => T;

function bind<T>(params: SqliteStatement["params"], run: Run<T>): T {
  if (Array.isArray(params)) return run(...params.map(inward));
  const entries = Object.entries(params).map(([name, value]) => [name, inward(value)]);
  return entries.length === 0 ? run() : run(Object.fromEntries(entries));
}

function inward(value: unknown): Bindable {
  if (typeof value === "boolean") return value ? 1 : 0;
  if (typeof value === "number") return Number.isInteger(value) ? BigInt(value) : value;
  if (value === null || typeof value === "string") return value;
  const bytes = typeof value === "object" && value && "base64" in value ? value.base64 : undefined;
  if (typeof bytes === "string") return Uint8Array.fromBase64(bytes);
  return JSON.stringify(value);
}

function outwards(row: unknown): Value[] {
  return Array.from(row as Iterable<unknown>, outward);
}

function outward(value: unknown): Value {
  if (typeof value === "bigint") {
    const number = Number(value);
    return Number.isSafeInteger(number) ? number : String(value);
  }
  if (value instanceof Uint8Array) return { base64: value.toBase64() };
  if (typeof value === "number") return Number.isFinite(value) ? value : String(value);
  return typeof value === "string" ? value : null;
}

/** True if the journal of a database names a file, which SQLite would delete. A statement here changes
 * one database only, and its journal names none. */
function namesFile(database: string): boolean {
  const path = `${Deno.realPathSync(database)}-journal`;
  let file: Deno.FsFile;
  try {
    file = Deno.openSync(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
  using journal = file;
  const { size } = journal.statSync();
  if (size < MAGIC.length) return false;
  journal.seekSync(size - MAGIC.length, Deno.SeekMode.Start);
  const end = new Uint8Array(MAGIC.length);
  journal.readSync(end);
  return MAGIC.every((byte, at) => end[at] === byte);
}
