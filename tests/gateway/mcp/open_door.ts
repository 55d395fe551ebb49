/** A door without a token in front of a gateway, for official tools that can send none. */

import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface OpenDoor extends AsyncDisposable {
  readonly url: string;
}

/** Adds the token and passes everything on, a foreign Host and Origin too. */
export async function openDoor(
  gateway: { readonly url: string; readonly token: string },
): Promise<OpenDoor> {
  const { hostname, port } = new URL(gateway.url);
  let own = 0;

  /** What names this door names the gateway; what does not stays foreign. */
  function renamed(value: string | undefined): string | undefined {
    return value?.replace(new RegExp(`(127\\.0\\.0\\.1|localhost):${own}$`), `$1:${port}`);
  }

  function pass(incoming: IncomingMessage, outgoing: ServerResponse): void {
    const { method, url: path, headers } = incoming;
    const onward = request({
      hostname,
      port,
      method,
      path,
      headers: {
        ...headers,
        host: renamed(headers.host),
        ...(headers.origin ? { origin: renamed(headers.origin) } : {}),
        authorization: `Bearer ${gateway.token}`,
      },
    }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      outgoing.flushHeaders();
      answer.pipe(outgoing);
    });
    onward.on("error", () => outgoing.destroy());
    outgoing.on("close", () => onward.destroy());
    incoming.pipe(onward);
  }

  const server = createServer(pass);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  own = (server.address() as AddressInfo).port;
  return {
    url: `http://127.0.0.1:${own}`,
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
