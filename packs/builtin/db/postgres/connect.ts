/** Connections of one call, with limits. The only file that uses the PostgreSQL driver. */

// @ts-types="./pg.d.ts"
import pg from "pg";
import { attempt } from "#base";
import { PackError } from "../../../errors.ts";
import { type EngineOptions, tooSlow } from "../engine.ts";
import type { Room, TextRows, Texts } from "./rows.ts";
import type { Traffic } from "./traffic.ts";
import { type Column, createReader, leastSize, type Reader } from "./values.ts";

const CONNECT_MS = 10_000;
/** Time after its deadline at which a statement is abandoned if the server did not end it. */
const LATE_MS = 2_000;
/** Most bytes that the server sends for a character of JSON: those of UTF-8. */
const WIRE_BYTES = 3;
/** Most characters of a message and of a hint: a statement may put any text in them. */
const MOST_MESSAGE = 10_000;

export type Client = pg.Client;

export interface Server {
  readonly url: string;
  readonly traffic: Traffic;
}

/** Opens a connection, does the work and closes it. On a timeout or the end of the run it tells the
 * server to cancel. Throws `PackError`. */
export async function withClient<T>(
  { url, traffic }: Server,
  { signal, timeoutMs, maxBytes }: EngineOptions,
  work: (client: Client) => Promise<T>,
): Promise<T> {
  signal.throwIfAborted();
  using _place = await traffic.enter(signal);
  const client = open(url);
  const failure = Promise.withResolvers<never>();
  failure.promise.catch(() => {});
  client.on("error", (error) => failure.reject(error));
  const stop = (reason: unknown) => {
    failure.reject(reason);
    if (client.processID !== null) void cancel(url, client.processID);
  };
  const late = () => stop(tooSlow(timeoutMs));
  const leave = () => stop(signal.reason);
  const timer = setTimeout(late, CONNECT_MS + timeoutMs + LATE_MS);
  signal.addEventListener("abort", leave, { once: true });
  let done = false;
  try {
    await Promise.race([client.connect(), failure.promise]);
    const most = WIRE_BYTES * maxBytes + 2 ** 20;
    using _bound = traffic.bound(client.connection.stream, { maxBytes: most, stop });
    const result = await Promise.race([work(client), failure.promise]);
    done = true;
    return result;
  } catch (error) {
    throw toPackError(error, { url, timeoutMs });
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", leave);
    if (done) await client.end().catch(() => client.connection.stream.destroy());
    else client.connection.stream.destroy();
  }
}

export interface Asked extends Room {
  readonly values?: readonly unknown[];
  /** True to end at the first row that does not fit; else the statement is finished without the rest. */
  readonly endsEarly?: boolean;
}

/** Runs one statement: the extended protocol rejects a text with two. Rows that do not fit are dropped as
 * they come. */
export function ask(client: Client, text: string, options: Asked): Promise<TextRows> {
  const { values = [], limit, maxBytes, endsEarly = false } = options;
  const { promise, resolve, reject } = Promise.withResolvers<TextRows>();
  const rows: Texts[] = [];
  let columns: readonly Column[] = [];
  let [bytes, isCut] = [0, false];
  const query = new pg.Query({ text, values, rowMode: "array", queryMode: "extended" });
  query.on("row", (row, { fields }) => {
    if (rows.length === 0) columns = columnsOf(fields);
    for (const [at, column] of columns.entries()) bytes += leastSize(row[at] ?? "", column);
    isCut ||= rows.length === limit || bytes > maxBytes;
    if (!isCut) rows.push(row);
    else if (endsEarly) resolve({ columns, rows, isCut, count: rows.length });
  });
  query.on("end", ({ fields, rowCount }) => {
    resolve({ columns: columnsOf(fields), rows, isCut, count: rowCount ?? 0 });
  });
  query.on("error", reject);
  client.query(query);
  return promise;
}

/** Runs statements at once; gives the row of the last one. */
export async function lastRow(client: Client, text: string): Promise<pg.Row> {
  return [await client.query(text)].flat().at(-1)?.rows[0] ?? {};
}

/** Makes a reader of values. */
export function openReader(): Reader {
  return createReader((type) => pg.types.getTypeParser(type));
}

function columnsOf(fields: readonly pg.Field[]): Column[] {
  return fields.map(({ name, dataTypeID: type }) => ({ name, type }));
}

function open(url: string): Client {
  try {
    return new pg.Client({
      connectionString: url,
      application_name: "toolscript",
      connectionTimeoutMillis: CONNECT_MS,
      // A value is parsed when its size is known.
      types: { getTypeParser: () => (text) => text },
    });
  } catch (error) {
    throw toPackError(error, { url, timeoutMs: 0 });
  }
}

async function cancel(url: string, processId: number): Promise<void> {
  const client = open(url);
  client.on("error", () => {}); // The statement ends at its own timeout.
  try {
    await client.connect();
    await ask(client, "SELECT pg_cancel_backend($1)", {
      values: [processId],
      limit: 1,
      maxBytes: 1,
    });
    await client.end();
  } catch {
    client.connection.stream.destroy(); // As above.
  }
}

interface Failed {
  readonly url: string;
  readonly timeoutMs: number;
}

/** Maps an error of the server or the network to `PackError`, without the secrets of the URL. */
function toPackError(error: unknown, { url, timeoutMs }: Failed): unknown {
  if (error instanceof PackError || (error instanceof DOMException)) return error;
  if (!(error instanceof Error)) return error;
  const { code, hint } = error as Error & { code?: unknown; hint?: unknown };
  if (code === "57014") return tooSlow(timeoutMs);
  const isServer = typeof code === "string" && /^[0-9A-Z]{5}$/.test(code) && "severity" in error;
  const advice = typeof hint === "string" ? ` (${withoutSecrets(hint, url)})` : "";
  const text = `${withoutSecrets(error.message || String(code ?? "failed"), url)}${advice}`;
  if (isServer && !/^(08|28|3D|53|57P)/.test(String(code))) {
    return new PackError("tool_error", `Cannot run the statement: ${text}`, {
      details: { sqlstate: String(code) },
    });
  }
  return new PackError("unavailable", `Cannot connect to the database: ${text}`, {
    retryable: true,
  });
}

/** Cuts the text, in which a secret at the end must not stay in part. */
function withoutSecrets(text: string, url: string): string {
  if (!URL.canParse(url)) return "its URL cannot be read";
  const { password, searchParams } = new URL(url);
  const secrets = [url, password, decode(password), searchParams.get("password") ?? ""];
  const longest = Math.max(...secrets.map((secret) => secret.length));
  const start = text.slice(0, MOST_MESSAGE + longest);
  const rest = secrets.filter((secret) => secret.length > 0)
    .reduce((rest, secret) => rest.replaceAll(secret, "***"), start);
  const most = start.length < text.length ? rest.length - longest : rest.length;
  return rest.slice(0, Math.min(MOST_MESSAGE, most));
}

function decode(text: string): string {
  // The URL has it unescaped.
  return attempt(() => decodeURIComponent(text), text);
}
