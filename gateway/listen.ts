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
  /** Sets the handler of all requests, earlier ones included. */
  handle(handler: Handler): void;
  /** Accepts no further connections; resolves when every response was sent, or after `graceMs`. */
  close(graceMs: number): Promise<void>;
}

/** Time until the port is opened again. */
const REST_MS = 5;
const WATCH_MS = 250;
/** Share of the files that the gateway may open, and files at most, until connections are closed. */
const MOST_FILES = { share: 0.75, count: 8_192 };
/** Share of these for connections, where other files take all of them. */
const SPARE = 0.125;

/** Opens the port. Throws `Deno.errors.AddrInUse` and the like. Where connections take too many of the
 * files that the process may open, it closes those without a request and opens the port again. */
export function listen({ host, port: requested }: ListenOptions): Listener {
  const ready = Promise.withResolvers<Handler>();
  const closed = new AbortController();
  const most = Math.min(MOST_FILES.count, openFileLimit() * MOST_FILES.share);
  let handler: Handler = async (request, info) => (await ready.promise)(request, info);
  let ended: Promise<unknown> = Promise.resolve();
  let isFull = false;
  /** Open files that are no connections without a request. */
  let held = 0;

  function open(port: number) {
    const opened = Deno.serve(
      { hostname: host, port, onListen: () => {} },
      (request, info) => handler(request, info),
    );
    // It fails where a connection cannot be accepted.
    opened.finished.catch(() => isFull = true);
    return opened;
  }

  /** Closes the port and all connections without a request, and opens it again. */
  async function reopen(): Promise<void> {
    isFull = false;
    ended = Promise.allSettled([ended, server.shutdown()]);
    for (;;) {
      // The port is closed in the next turn.
      await sleep(REST_MS, closed.signal);
      held = await countOpenFiles();
      const opened = attempt(() => open(port));
      if (!opened) continue;
      server = opened;
      return;
    }
  }

  async function watch(): Promise<void> {
    while (!closed.signal.aborted) {
      await sleep(WATCH_MS, closed.signal);
      const count = await countOpenFiles();
      held = Math.min(held, count);
      if (isFull || count > Math.max(most, held + SPARE * most)) await reopen();
    }
  }

  let server = open(requested);
  const { port } = server.addr;
  watch().catch(() => {}); // the port is closed
  return {
    port,
    url: `http://${authority(host)}:${port}`,
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

/** Formats the host of a URL: loopback for an unspecified address, brackets around IPv6. */
function authority(host: string): string {
  if (host === "0.0.0.0" || host === "::") return "127.0.0.1";
  return host.includes(":") ? `[${host}]` : host;
}
