/** A backend behind stdin and stdout, for clients of both eras of the protocol. */

import type { Readable, Writable } from "node:stream";
import type { JSONRPCMessage } from "@modelcontextprotocol/server";
import { serveStdio, StdioServerTransport } from "@modelcontextprotocol/server/stdio";
import { isObject } from "#sandbox";
import { createProtocolServer } from "./protocol_server.ts";
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

/** Also sees which resources a subscription of the newest protocol names: the library keeps those
 * to itself, but their servers must be asked. */
class Wire extends StdioServerTransport {
  readonly #backend: McpBackend;
  readonly #options: StdioOptions & { readonly onClosed: () => void };
  readonly #watched = new Map<unknown, () => void>();
  #listener?: (message: JSONRPCMessage) => void;

  constructor(backend: McpBackend, options: StdioOptions & { readonly onClosed: () => void }) {
    super(options.stdin, options.stdout, { maxBufferSize: options.maxMessageBytes });
    this.#backend = backend;
    this.#options = options;
    Object.defineProperty(this, "onmessage", {
      get: () => this.#listener && ((message: JSONRPCMessage) => this.#received(message)),
      set: (listener) => this.#listener = listener,
    });
  }

  override async send(message: JSONRPCMessage): Promise<void> {
    await super.send(message);
    this.#options.onSent?.();
  }

  override async close(): Promise<void> {
    for (const stop of this.#watched.values()) stop();
    this.#watched.clear();
    await super.close();
    this.#options.onClosed();
  }

  #received(message: JSONRPCMessage): void {
    const uris = subscribedResources(message);
    if (uris.length > 0 && "id" in message) {
      this.#watched.set(message.id, this.#backend.watch(uris));
    }
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
