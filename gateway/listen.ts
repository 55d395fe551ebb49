/** Open port: it accepts requests at once and passes them on when the app is ready. */

import { within } from "#base";
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

/** Opens the port. Throws `Deno.errors.AddrInUse` and the like. */
export function listen({ host, port }: ListenOptions): Listener {
  const ready = Promise.withResolvers<Handler>();
  let handler: Handler = async (request, info) => (await ready.promise)(request, info);
  const server = Deno.serve(
    { hostname: host, port, onListen: () => {} },
    (request, info) => handler(request, info),
  );
  return {
    port: server.addr.port,
    url: `http://${authority(host)}:${server.addr.port}`,
    handle(appHandler) {
      handler = appHandler;
      ready.resolve(appHandler);
    },
    async close(graceMs) {
      ready.resolve(() => new Response(null, { status: 503 }));
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
