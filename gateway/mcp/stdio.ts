/** A backend behind stdin and stdout, for clients of both eras of the protocol. */

import { Readable, type Writable } from "node:stream";
import type { JSONRPCMessage } from "@modelcontextprotocol/server";
import { serveStdio, StdioServerTransport } from "@modelcontextprotocol/server/stdio";
import { isObject } from "#sandbox";
import { createProtocolServer } from "./protocol_server.ts";
import { OpenRequests } from "./open_requests.ts";
import { subscribedResources } from "./subscribed.ts";
import type { McpBackend } from "./types.ts";

export interface StdioServer {
  /** Resolves when the client has gone. */
  readonly closed: Promise<void>;
  close(): Promise<void>;
}

export interface StdioOptions {
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly maxMessageBytes: number;
  /** How long requests under way may go on when stdin has ended; 10 s. */
  readonly graceMs?: number;
  readonly onError: (error: Error) => void;
  /** Called after each message that was sent. */
  readonly onSent?: () => void;
}

/** Serves one client until it goes or `close` is called. */
export function serveMcpStdio(backend: McpBackend, options: StdioOptions): StdioServer {
  const { promise: closed, resolve } = Promise.withResolvers<void>();
  const transport = new Wire(backend, { ...options, onClosed: resolve });
  const handle = serveStdio(({ era }) => createProtocolServer(backend, { era, notify: true }), {
    transport,
    onerror: options.onError,
  });
  return { closed, close: () => handle.close() };
}

const GRACE_MS = 10_000;

/** What comes in; its end is held back until what was asked before is answered. */
async function* followed(stdin: Readable, open: OpenRequests): AsyncGenerator<Uint8Array> {
  yield* stdin;
  await open.settled();
}

/** Also sees which resources a subscription of the newest protocol names: the library keeps those
 * to itself, but their servers must be asked. */
class Wire extends StdioServerTransport {
  readonly #backend: McpBackend;
  readonly #options: StdioOptions & { readonly onClosed: () => void };
  readonly #watched = new Map<unknown, () => void>();
  readonly #open: OpenRequests;
  #listener?: (message: JSONRPCMessage) => void;

  constructor(backend: McpBackend, options: StdioOptions & { readonly onClosed: () => void }) {
    const open = new OpenRequests(options.graceMs ?? GRACE_MS);
    const stdin = Readable.from(followed(options.stdin, open), { objectMode: false });
    super(stdin, options.stdout, { maxBufferSize: options.maxMessageBytes });
    this.#open = open;
    this.#backend = backend;
    this.#options = options;
    Object.defineProperty(this, "onmessage", {
      get: () => this.#listener && ((message: JSONRPCMessage) => this.#received(message)),
      set: (listener) => this.#listener = listener,
    });
  }

  override async send(message: JSONRPCMessage): Promise<void> {
    await super.send(message);
    this.#open.sent(message);
    this.#options.onSent?.();
  }

  override async close(): Promise<void> {
    for (const stop of this.#watched.values()) stop();
    this.#watched.clear();
    this.#open.stop();
    await super.close();
    this.#options.onClosed();
  }

  #received(message: JSONRPCMessage): void {
    const uris = subscribedResources(message);
    if (uris.length > 0 && "id" in message) {
      this.#watched.set(message.id, this.#backend.watch(uris));
    }
    this.#open.received(message);
    const ended = cancelledId(message);
    this.#watched.get(ended)?.();
    this.#watched.delete(ended);
    this.#listener?.(message);
  }
}

function cancelledId(message: unknown): unknown {
  const isCancel = isObject(message) && message.method === "notifications/cancelled";
  return isCancel && isObject(message.params) ? message.params.requestId : undefined;
}
