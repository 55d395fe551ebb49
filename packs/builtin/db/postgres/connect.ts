/** Connections of one call, with limits. The only file that uses the PostgreSQL driver. */

// @ts-types="./pg.d.ts"
import pg from "pg";
import { parse } from "pg-connection-string";
import { attempt, type NameAsker, type NameLookup, within } from "#base";
import { PackError } from "../../../errors.ts";
import { type EngineOptions, tooSlow } from "../engine.ts";
import { openSocket } from "./socket.ts";
import type { Room, TextRow, TextRows, Texts } from "./rows.ts";
import type { Bound, Traffic } from "./traffic.ts";
import { type Column, createReader, leastSize, type Reader } from "./values.ts";

const CONNECT_MS = 10_000;
/** Time after its deadline at which a statement is abandoned if the server did not end it. */
const LATE_MS = 2_000;
/** Longest time until the server has closed a connection. */
const CLOSE_MS = 2_000;
/** Longest time that a request to cancel takes. */
const CANCEL_MS = 5_000;
/** Most bytes that the server sends for a character of JSON: those of UTF-8. */
const WIRE_BYTES = 3;
/** Most characters of a message and of a hint: a statement may put any text in them. */
const MOST_MESSAGE = 10_000;
/** Added to the message of a timeout, since the wait may be its cause. */
const WAITS = " (results over 1 MB wait for one another)";

export type Client = pg.Client;

export interface Server {
  readonly url: string;
  readonly traffic: Traffic;
  readonly names: NameLookup;
}

/** Opens a connection, does the work and closes it. On a timeout or the end of the run it tells the
 * server to cancel. Throws `PackError`. */
export async function withClient<T>(
  server: Server,
  { signal, run, timeoutMs, maxBytes }: EngineOptions,
  work: (client: Client) => Promise<T>,
): Promise<T> {
  const { url, traffic } = server;
  signal.throwIfAborted();
  using place = new DisposableStack();
  place.use(await traffic.enter(signal, run));
  const failure = Promise.withResolvers<never>();
  failure.promise.catch(() => {});
  let cancelled: Promise<void> | undefined;
  const stop = (reason: unknown) => {
    failure.reject(reason);
    cancelled ??= cancel({ ...server, run }, client);
  };
  using bound = traffic.bound(run, stop);
  const client = open({ ...server, signal, run }, bound.guard);
  client.on("error", (error) => failure.reject(error));
  const late = () => stop(tooSlow(timeoutMs, WAITS));
  const leave = () => stop(signal.reason);
  const timer = setTimeout(late, CONNECT_MS + timeoutMs + LATE_MS);
  signal.addEventListener("abort", leave, { once: true });
  let done = false;
  try {
    await Promise.race([client.connect(), failure.promise]);
    bound.open(WIRE_BYTES * maxBytes + 2 ** 20);
    const result = await Promise.race([work(client), failure.promise]);
    done = true;
    return result;
  } catch (error) {
    throw toPackError(error, { url, timeoutMs });
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", leave);
    if (done) await within(client.end(), CLOSE_MS).catch(() => {});
    client.connection.stream.destroy();
    if (cancelled) keep(place, cancelled);
  }
}

/** Keeps the place as long as a second connection cancels the statement. */
function keep(place: DisposableStack, cancelled: Promise<void>): void {
  const held = place.move();
  void cancelled.catch(() => {}).finally(() => held.dispose());
}

export interface Asked extends Room {
  readonly values?: readonly unknown[];
  /** True to end at the first row that does not fit; else the statement is finished without the rest. */
  readonly endsEarly?: boolean;
  /** True for a text of several statements, which the extended protocol rejects. */
  readonly isSeveral?: boolean;
}

/** Runs one statement. Rows that do not fit are dropped as they come. */
export function ask(client: Client, text: string, options: Asked): Promise<TextRows> {
  const { values = [], limit, maxBytes, endsEarly = false, isSeveral = false } = options;
  const { promise, resolve, reject } = Promise.withResolvers<TextRows>();
  const rows: Texts[] = [];
  let columns: readonly Column[] = [];
  let [bytes, isCut] = [0, false];
  const queryMode = isSeveral ? undefined : "extended";
  const query = new pg.Query({ text, values, rowMode: "array", queryMode });
  query.on("row", (row, { fields }) => {
    if (rows.length === 0) columns = columnsOf(fields);
    for (const [at, column] of columns.entries()) bytes += leastSize(row[at] ?? "", column);
    isCut ||= rows.length === limit || bytes > maxBytes;
    if (!isCut) rows.push(row);
    else if (endsEarly) resolve({ columns, rows, isCut, count: rows.length });
  });
  query.on("end", (results) => {
    const last = [results].flat().at(-1);
    resolve({ columns: columnsOf(last?.fields ?? []), rows, isCut, count: last?.rowCount ?? 0 });
  });
  query.on("error", reject);
  client.query(query);
  return promise;
}

/** Runs statements in one request; returns the row of the last one, if it fits. */
export async function lastRow(client: Client, text: string): Promise<TextRow> {
  const room = { limit: 1, maxBytes: MOST_MESSAGE };
  const { columns, rows: [row] } = await ask(client, text, { ...room, isSeveral: true });
  return Object.fromEntries(columns.map(({ name }, at) => [name, row?.[at] ?? null]));
}

/** Makes a reader of values. */
export function openReader(): Reader {
  return createReader((type) => pg.types.getTypeParser(type));
}

function columnsOf(fields: readonly pg.Field[]): Column[] {
  return fields.map(({ name, dataTypeID: type }) => ({ name, type }));
}

interface Opening extends Pick<Server, "url" | "names">, NameAsker {}

/** Makes a client whose stream is given to the driver by `guard`, over TLS too. The password is that of
 * the URL alone: the driver takes any but a function from `PGPASSWORD` or `~/.pgpass` where it is empty. */
function open({ url, ...opening }: Opening, guard: Bound["guard"]): Client {
  try {
    const { password = "", ...parts } = parse(url);
    const client = new pg.Client({
      ...parts,
      password: () => password || Promise.reject(noPassword()),
      application_name: "toolscript",
      connectionTimeoutMillis: CONNECT_MS,
      stream: () => openSocket(opening),
      // A value is parsed when its size is known.
      types: { getTypeParser: () => (text) => text },
    });
    const { connection } = client;
    const attach = connection.attachListeners.bind(connection);
    connection.attachListeners = (stream: pg.Stream) => attach(guard(stream));
    return client;
  } catch (error) {
    throw toPackError(error, { url, timeoutMs: 0 });
  }
}

function noPassword(): PackError {
  const way = "write it there, as postgres://user:${secret:NAME}@host/database";
  return new PackError(
    "unavailable",
    `Cannot connect to the database: it wants a password, and its URL has none: ${way}`,
  );
}

/** Asks the server to end what it does, over a connection of its own as the protocol wants it, on which
 * it answers nothing. Without effect the statement ends at its own timeout. */
async function cancel(
  { url, names, run }: Omit<Opening, "signal">,
  client: Client,
): Promise<void> {
  const { processID, secretKey, host, port } = client;
  if (processID === null || secretKey === null) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  const signal = AbortSignal.timeout(CANCEL_MS);
  const { connection } = open({ url, names, signal, run }, (stream) => ({
    on: (event) => stream.on(event, () => resolve()),
  }));
  const send = () => connection.cancel(processID, secretKey);
  connection.on("connect", () => {
    if (!connection.ssl) send();
    else if (connection.sslNegotiation !== "direct") connection.requestSsl();
  });
  connection.on("sslconnect", send);
  for (const event of ["error", "end"]) connection.on(event, () => resolve());
  if (host.startsWith("/")) connection.connect(`${host}/.s.PGSQL.${port}`);
  else connection.connect(port, host);
  await within(promise, CANCEL_MS);
  connection.stream.destroy();
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
  if (code === "57014") return tooSlow(timeoutMs, WAITS);
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

/** Shortens the text after removing secrets, so that the cut leaves no part of one. */
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
