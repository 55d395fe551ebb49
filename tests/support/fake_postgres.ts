/** A server that speaks PostgreSQL's protocol as far as a test wants it to. */

const TEXT = new TextEncoder();

export interface FakeConnection {
  /** Number of the connection, from 1 on. */
  readonly id: number;
  /** Next bytes of the client; undefined at its end. */
  read(): Promise<Uint8Array | undefined>;
  /** Sends all bytes; false where the client has closed the connection. */
  send(...parts: Uint8Array[]): Promise<boolean>;
  close(): void;
}

export interface FakePostgres extends AsyncDisposable {
  readonly url: string;
  /** Bytes sent over all connections. */
  sent(): number;
  /** Number of connections that the client has not closed. */
  open(): number;
}

/** Starts a server of this behavior; a connection whose behavior ends stays open. */
export function startFakePostgres(
  behave: (connection: FakeConnection) => Promise<unknown>,
  tls?: { readonly cert: string; readonly key: string },
): FakePostgres {
  const place = { hostname: "127.0.0.1", port: 0 };
  const listener = tls
    ? Deno.listenTls({ ...place, ...tls, alpnProtocols: ["postgresql"] })
    : Deno.listen(place);
  const connections = new Set<Deno.Conn>();
  const ends: Promise<void>[] = [];
  let [count, sent] = [0, 0];

  async function serve(socket: Deno.Conn): Promise<void> {
    const connection: FakeConnection = {
      id: ++count,
      async read() {
        const bytes = new Uint8Array(65_536);
        const size = await socket.read(bytes).catch(() => null);
        return size === null ? undefined : bytes.slice(0, size);
      },
      async send(...parts) {
        const bytes = joined(...parts);
        for (let at = 0; at < bytes.length;) {
          const size = await socket.write(bytes.subarray(at)).catch(() => undefined);
          if (size === undefined) return false;
          at += size;
          sent += size;
        }
        return true;
      },
      close: () => attemptClose(socket),
    };
    connections.add(socket);
    await behave(connection);
    while (await connection.read() !== undefined);
    connections.delete(socket);
    attemptClose(socket);
  }
  const accepting = (async () => {
    for await (const socket of listener) ends.push(serve(socket));
  })();

  return {
    url: `postgres://reader:secret-word@127.0.0.1:${(listener.addr as Deno.NetAddr).port}/one` +
      (tls ? "?sslmode=no-verify&sslnegotiation=direct" : ""),
    sent: () => sent,
    open: () => connections.size,
    async [Symbol.asyncDispose]() {
      listener.close();
      await accepting;
      for (const socket of connections) attemptClose(socket);
      await Promise.all(ends);
    },
  };
}

function attemptClose(socket: Deno.Conn): void {
  try {
    socket.close();
  } catch {
    // It is closed.
  }
}

export function joined(...parts: Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

/** A message; `length` is what its head tells. */
export function message(kind: string, content: Uint8Array, length = content.length + 4) {
  return joined(TEXT.encode(kind), int(length), content);
}

/** A whole number of so many bytes. */
export function int(value: number, size = 4): Uint8Array {
  return new Uint8Array(size).map((_, at) => (value >> 8 * (size - 1 - at)) & 255);
}

/** A text with its end. */
export function text(value: string): Uint8Array {
  return TEXT.encode(`${value}\0`);
}

export function fields(...names: string[]): Uint8Array {
  const tails = [int(0), int(0, 2), int(25), int(65_535, 2), int(-1), int(0, 2)];
  return message(
    "T",
    joined(int(names.length, 2), ...names.map((one) => joined(text(one), ...tails))),
  );
}

export function row(...values: (string | null)[]): Uint8Array {
  const parts = values.map((value) => {
    const bytes = TEXT.encode(value ?? "");
    return value === null ? int(-1) : joined(int(bytes.length), bytes);
  });
  return message("D", joined(int(values.length, 2), ...parts));
}

export const NONE = new Uint8Array();
export const READY = message("Z", TEXT.encode("I"));
export const DONE = joined(message("C", text("SELECT 1")), READY);
/** The end of the opening, with the number of the process and its secret. */
export const OPENED = joined(
  message("R", int(0)),
  message("K", joined(int(4_242), int(17))),
  READY,
);
/** The answer about a role that may read. */
export const MAY_READ = joined(
  fields("powerful", "leaving", "reaching"),
  row("f", null, null),
  DONE,
);
/** What precedes the rows of a statement. */
export const PREPARED = joined(message("1", NONE), message("2", NONE));

/** Answers until the role may read; then the client sends its statement. */
export async function openReading({ read, send }: FakeConnection): Promise<void> {
  await read();
  await send(OPENED);
  await read();
  await send(MAY_READ);
  await read();
}
