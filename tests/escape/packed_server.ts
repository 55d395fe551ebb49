/** Servers that compress although `identity` was requested, and bytes that unpack to nothing. */

import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Buffer } from "node:buffer";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";

/** Compressions by the name in `content-encoding`. */
export const PACK: Readonly<Record<string, (text: string) => Uint8Array>> = {
  "gzip": gzipSync,
  "x-gzip": gzipSync,
  "GZIP": gzipSync,
  "deflate": deflateSync,
  "br": brotliCompressSync,
  "identity": (text) => Buffer.from(text),
};

const BEGIN = Buffer.from("\x1f\x8b\x08\0\0\0\0\0\0\x03", "latin1");
const EMPTY = Buffer.from("\0\0\0\xff\xff".repeat(10_000), "latin1");

/** Sends empty blocks of gzip until the client leaves. */
export function sendEndless(response: ServerResponse, type: string): void {
  response.writeHead(200, { "content-type": type, "content-encoding": "gzip" });
  response.write(BEGIN);
  const timer = setInterval(() => {
    if (response.destroyed) clearInterval(timer);
    else if (!response.writableNeedDrain) response.write(EMPTY);
  }, 1);
  response.on("close", () => clearInterval(timer));
}

export interface HttpStage extends AsyncDisposable {
  readonly origin: string;
  /** `accept-encoding` of the requests. */
  readonly accepted: Set<string | undefined>;
}

/** Serves; `answer` gets the body of a request. */
export async function serveHttp(
  answer: (request: IncomingMessage, response: ServerResponse, body: string) => void,
): Promise<HttpStage> {
  const accepted = new Set<string | undefined>();
  const server = createServer(async (request, response) => {
    accepted.add(request.headers["accept-encoding"]);
    const chunks: Uint8Array[] = await Array.fromAsync(request);
    answer(request, response, Buffer.concat(chunks).toString());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    accepted,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
