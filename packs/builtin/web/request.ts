/** One request to a checked address, without following redirects. */

import http from "node:http";
import https from "node:https";
import { isIP } from "node:net";
import { addAbortSignal, pipeline, Readable, type Transform } from "node:stream";
import type { ReadableStream as WebStream } from "node:stream/web";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import { abortable, ByteBuffer, createTurns, HTTP_1 } from "#base";
import type { Destination } from "./destination.ts";

export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Decompressed body. A caller that does not read it to its end calls `close`. */
  readonly body: AsyncIterable<Uint8Array>;
  close(): void;
}

export interface RequestOptions {
  readonly headers: Readonly<Record<string, string>>;
  readonly proxy: string | undefined;
  readonly fetch: typeof fetch;
  readonly signal: AbortSignal;
}

/** Pieces of any size that a response may have, and bytes that each further one has on average: each takes
 * this thread some microseconds. */
const SMALL_PIECES = 4_000;
const PIECE_BYTES = 16;
/** Bytes that are unpacked at once. */
const TOGETHER = 16 * 1024;

const UNREACHED = new Set(["ECONNREFUSED", "EHOSTUNREACH", "ENETUNREACH", "ETIMEDOUT"]);

/** Sends a request to the first address that can be reached. */
export async function request(to: Destination, options: RequestOptions): Promise<Reply> {
  if (options.proxy !== undefined) return await throughProxy(to, options.proxy, options);
  let failure: unknown = new Error("The host has no address");
  for (const address of to.addresses.slice(0, 4)) {
    try {
      return await ask(to.url, address, options);
    } catch (error) {
      failure = error;
      const code = error instanceof Error && "code" in error ? String(error.code) : "";
      if (!UNREACHED.has(code)) break;
    }
  }
  throw failure;
}

function ask(url: URL, address: string, { headers, signal }: RequestOptions): Promise<Reply> {
  const { promise, resolve, reject } = Promise.withResolvers<Reply>();
  const secure = url.protocol === "https:";
  const name = url.hostname.replace(/\.$/, "");
  const outgoing = (secure ? https : http).request({
    host: address,
    port: url.port || (secure ? 443 : 80),
    path: url.pathname + url.search,
    // The certificate must match the name, not the address.
    ...(secure && isIP(name.replace(/^\[|\]$/g, "")) === 0 ? { servername: name } : {}),
    headers: { ...headers, "accept-encoding": "gzip, deflate, br", host: url.host },
    agent: false,
    signal,
  });
  outgoing.on("error", reject);
  // Without an answer, as after 101, nothing else is told.
  outgoing.on("close", () => reject(new Error("The connection was closed")));
  outgoing.on("upgrade", (_, socket) => {
    socket.destroy();
    reject(new Error("The server wants to go on with another protocol"));
  });
  outgoing.on("response", (response) => {
    const pairs = Object.entries(response.headers).map(([name, value]) => [name, String(value)]);
    const body = unpacked(response, response.headers["content-encoding"]);
    resolve({
      status: response.statusCode ?? 0,
      headers: Object.fromEntries(pairs),
      body,
      close: () => response.destroy(),
    });
  });
  outgoing.end();
  return abortable(promise, signal);
}

const UNPACK: ReadonlyMap<string, () => Transform> = new Map([
  ["gzip", createGunzip],
  ["x-gzip", createGunzip],
  ["deflate", createInflate],
  ["br", createBrotliDecompress],
]);

function unpacked(
  response: AsyncIterable<Uint8Array>,
  encoding = "identity",
): AsyncIterable<Uint8Array> {
  const packed = together(response);
  const unpacked = UNPACK.get(encoding.trim().toLowerCase())?.();
  if (unpacked === undefined) return packed;
  pipeline(packed, unpacked, () => {}); // the reader gets the error
  return unpacked;
}

/** Pieces of a response, small ones together, while other work runs. Throws where they are tiny. */
async function* together(response: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const turn = createTurns();
  const buffer = new ByteBuffer();
  let [pieces, bytes] = [0, 0];
  for await (const piece of response) {
    [pieces, bytes] = [pieces + 1, bytes + piece.length];
    if (pieces > SMALL_PIECES + bytes / PIECE_BYTES) {
      throw Object.assign(new Error("Its pieces are tiny"), { code: "TINY_PIECES" });
    }
    buffer.add(piece);
    await turn();
    if (buffer.size >= TOGETHER) yield buffer.take();
  }
  yield buffer.take();
}

async function throughProxy(
  { url }: Destination,
  proxy: string,
  { fetch, headers, signal }: RequestOptions,
): Promise<Reply> {
  const client = Deno.createHttpClient({ ...HTTP_1, proxy: { url: proxy } });
  let response: Response;
  try {
    // For any other value, or none, Deno unpacks in this thread, and what unpacks to nothing is
    // bounded by nothing.
    const plain = { ...headers, "accept-encoding": "identity" };
    response = await fetch(url, { headers: plain, signal, redirect: "manual", client });
  } catch (error) {
    client.close();
    throw error;
  }
  const { status } = response;
  const body = Readable.fromWeb((response.body ?? new Blob().stream()) as WebStream<Uint8Array>);
  body.on("error", () => {}); // the reader gets it
  // Deno itself ends a body only while its Response can be reached.
  addAbortSignal(signal, body);
  return {
    status,
    headers: Object.fromEntries(response.headers),
    body: unpacked(body, response.headers.get("content-encoding") ?? undefined),
    close() {
      body.destroy();
      client.close();
    },
  };
}
