/** Open port: it accepts requests at once and passes them on when the app is ready. */

import { attempt, sleep, within } from "#base";

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

/** Time until the port is opened again: connections may have ended. */
const REST_MS = 100;

/** Opens the port. Throws `Deno.errors.AddrInUse` and the like. Where all files of the process are
 * open, it opens the port again. */
export function listen({ host, port: requested }: ListenOptions): Listener {
  const ready = Promise.withResolvers<Handler>();
  let isClosed = false;
  let handler: Handler = async (request, info) => (await ready.promise)(request, info);

  function open(port: number) {
    const opened = Deno.serve(
      { hostname: host, port, onListen: () => {} },
      (request, info) => handler(request, info),
    );
    // It fails where a connection cannot be accepted.
    opened.finished.catch(() => reopen(opened.addr.port));
    return opened;
  }

  async function reopen(port: number): Promise<void> {
    for (;;) {
      await sleep(REST_MS);
      if (isClosed) return;
      const opened = attempt(() => open(port));
      if (!opened) continue;
      server = opened;
      return;
    }
  }

  let server = open(requested);
  const { port } = server.addr;
  return {
    port,
    url: `http://${authority(host)}:${port}`,
    handle(appHandler) {
      handler = appHandler;
      ready.resolve(appHandler);
    },
    async close(graceMs) {
      ready.resolve(() => new Response(null, { status: 503 }));
      isClosed = true;
      // Deno cannot end a streaming response after shutdown(): it ends with the process.
      await within(server.shutdown(), graceMs);
    },
  };
}

/** Formats the host of a URL: loopback for an unspecified address, brackets around IPv6. */
function authority(host: string): string {
  if (host === "0.0.0.0" || host === "::") return "127.0.0.1";
  return host.includes(":") ? `[${host}]` : host;
}
