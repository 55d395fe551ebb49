/** The open port: it answers at once, and hands requests on as soon as the app is there. */

import { within } from "#sandbox";

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
  /** Requests go there, those that came before as well. */
  handle(handler: Handler): void;
  /** Takes no further connections; resolves when every answer was sent, or after `graceMs`. */
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
    handle(given) {
      handler = given;
      ready.resolve(given);
    },
    async close(graceMs) {
      ready.resolve(() => new Response(null, { status: 503 }));
      // An answer that still streams ends with the process: Deno cannot end it after shutdown().
      await within(server.shutdown(), graceMs);
    },
  };
}

/** An unspecified address is reached through loopback; an IPv6 one stands in brackets. */
function authority(host: string): string {
  if (host === "0.0.0.0" || host === "::") return "127.0.0.1";
  return host.includes(":") ? `[${host}]` : host;
}
