/** Open port: it accepts requests at once and passes them on when the app is ready. */

import { attempt, countOpenFiles, openFileLimit, sleep, within } from "#base";

export interface ListenOptions {
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
}

export type Handler = Deno.ServeHandler<Deno.NetAddr>;

export interface Listener {
  readonly port: number;
  /** `http://127.0.0.1:43117`. */
  readonly url: string;
  /** Resolves when another program has the port. */
  readonly lost: Promise<void>;
  /** Sets the handler of all requests, earlier ones included. */
  handle(handler: Handler): void;
  /** Accepts no further connections; resolves when every response was sent, or after `graceMs`. */
  close(graceMs: number): Promise<void>;
}

/** Time until connections without a request are closed, or the port is opened again. */
const REST_MS = 5;
const WATCH_MS = 250;
/** Time that a process which is being started may hold a copy of a listener that was closed. */
const COPY_MS = 1_000;
/** Share of the files that the gateway may open, and files at most, until connections are closed. */
const MOST_FILES = { share: 0.75, count: 8_192 };
/** Share of the limit that is left to connections where other files take all of it. */
const SPARE = 0.125;
/** True where a port can have two listeners, both of one user: on Linux, with `--unstable-net`. */
const CAN_SHARE = Deno.build.os === "linux" && "listenDatagram" in Deno;

/** Opens the port. Throws `Deno.errors.AddrInUse` and the like. Where connections take too many
 * of the process's files, it closes those without a request: it opens the port again before it
 * closes the earlier listener, since otherwise another program could take the port and be sent
 * the token. */
export async function listen({ host, port: requested }: ListenOptions): Promise<Listener> {
  const ready = Promise.withResolvers<Handler>();
  const lost = Promise.withResolvers<void>();
  const closed = new AbortController();
  const most = Math.min(MOST_FILES.count, openFileLimit() * MOST_FILES.share);
  let handler: Handler = async (request, info) => (await ready.promise)(request, info);
  let ended: Promise<unknown> = Promise.resolve();
  /** Open files that are no connections without a request. */
  let held = 0;

  function open(port: number) {
    const opened = Deno.serve(
      { hostname: host, port, reusePort: CAN_SHARE, onListen: () => {} },
      (request, info) => handler(request, info),
    );
    // It fails where a connection cannot be accepted, and closes the port.
    opened.finished.catch(() => recover(opened)).catch(() => {}); // the gateway is closed
    return opened;
  }

  /** Opens the port again that a listener closed by itself. */
  async function recover(failed: typeof server): Promise<void> {
    ended = Promise.allSettled([ended, failed.shutdown()]);
    while (failed === server) {
      closed.signal.throwIfAborted();
      try {
        server = open(port);
      } catch (error) {
        if (error instanceof Deno.errors.AddrInUse) return lost.resolve();
        await sleep(REST_MS, closed.signal);
      }
    }
  }

  /** Opens the port again, and closes all connections without a request. */
  async function renew(): Promise<void> {
    // Without a file left it fails: the next turn tries again.
    const opened = attempt(() => open(port));
    if (!opened) return;
    ended = Promise.allSettled([ended, server.shutdown()]);
    server = opened;
    await sleep(REST_MS, closed.signal);
    held = await countOpenFiles();
  }

  async function watch(): Promise<void> {
    while (!closed.signal.aborted) {
      await sleep(WATCH_MS, closed.signal);
      const count = await countOpenFiles();
      held = Math.min(held, count);
      if (count > Math.max(most, held + SPARE * most)) await renew();
    }
  }

  if (requested !== 0) checkFree(host, requested);
  let server = await untilReleased(() => open(requested));
  const { port } = server.addr;
  if (CAN_SHARE) watch().catch(() => {}); // the port is closed
  return {
    port,
    // At another address of that name another user may listen.
    url: `http://${authority(host === "localhost" ? server.addr.hostname : host)}:${port}`,
    lost: lost.promise,
    handle(appHandler) {
      handler = appHandler;
      ready.resolve(appHandler);
    },
    async close(graceMs) {
      ready.resolve(() => new Response(null, { status: 503 }));
      closed.abort();
      // Deno cannot end a streaming response after shutdown(): it ends with the process.
      await within(Promise.all([ended, server.shutdown()]), graceMs);
    },
  };
}

/** Throws `Deno.errors.AddrInUse` for a port that another gateway has, which may share it. */
function checkFree(hostname: string, port: number): void {
  Deno.listen({ hostname, port }).close();
}

/** Tries again where the port is in use: a process that is being started still has the listener that
 * looked for another gateway. Throws what `open` throws after a second. */
async function untilReleased<T>(open: () => T): Promise<T> {
  const end = performance.now() + COPY_MS;
  for (;;) {
    try {
      return open();
    } catch (error) {
      if (!(error instanceof Deno.errors.AddrInUse) || performance.now() > end) throw error;
      await sleep(REST_MS);
    }
  }
}

/** Formats the host of a URL: loopback for an unspecified address, brackets around IPv6. */
function authority(host: string): string {
  if (host === "0.0.0.0" || host === "::") return "127.0.0.1";
  return host.includes(":") ? `[${host}]` : host;
}
