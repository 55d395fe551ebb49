/** MCP over stdin and stdout, for clients of both eras of the protocol. */

import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { attempt, ChunkReader, isObject, LineTooLong, readLines } from "#base";
import { cancelledId } from "#packs/cancelled";
import { createProtocolServer } from "./protocol_server.ts";
import { OpenRequests, subscribedResources } from "./open_requests.ts";
import { type McpBackend, McpError } from "../types.ts";
import { unreadKey } from "./unread.ts";

export interface StdioServer {
  /** Resolves when the client has disconnected. */
  readonly closed: Promise<void>;
  close(): Promise<void>;
}

export interface StdioOptions {
  readonly stdin: ReadableStream<Uint8Array>;
  /** Writes bytes to stdout; resolves when they are written. */
  readonly write: (bytes: Uint8Array) => Promise<void>;
  readonly maxMessageBytes: number;
  /** Grace period of open requests after the end of stdin; 10 s. */
  readonly graceMs?: number;
  readonly onError: (error: Error) => void;
}

/** Serves one client until it disconnects or `close` is called. */
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

interface WireOptions extends StdioOptions {
  readonly onClosed: () => void;
}

/** Transport of one JSON message per line. The transport of the library reads through Node's streams,
 * which are slow, and hides the resources of a subscription, which must be watched at their servers. */
class Wire implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #backend: McpBackend;
  readonly #options: WireOptions;
  readonly #stdin: ChunkReader;
  readonly #watched = new Map<unknown, () => void>();
  readonly #open: OpenRequests;
  readonly #encoder = new TextEncoder();
  /** Lines that wait for their client to read. */
  readonly #unread = new Map<string | symbol, string>();
  #lastWrite: Promise<void> = Promise.resolve();
  #closed = false;

  constructor(backend: McpBackend, options: WireOptions) {
    this.#backend = backend;
    this.#options = options;
    this.#stdin = new ChunkReader(options.stdin);
    this.#open = new OpenRequests(options.graceMs ?? GRACE_MS);
  }

  start(): Promise<void> {
    void this.#read();
    return Promise.resolve();
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (this.#closed) throw new Error("Cannot send: the connection is closed");
    if (!("method" in message)) this.#unwatch(message.id); // the subscription was refused, or ends
    const line = `${JSON.stringify(message)}\n`;
    const key = unreadKey(message, line);
    const replaces = this.#unread.has(key);
    this.#unread.set(key, line);
    if (replaces) return;
    this.#lastWrite = this.#lastWrite.then(() => {
      const newest = this.#unread.get(key);
      this.#unread.delete(key);
      return this.#options.write(this.#encoder.encode(newest));
    });
    try {
      await this.#lastWrite;
    } catch (error) {
      void this.close(); // a client that reads no more has disconnected
      throw error;
    }
    this.#open.sent(message);
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    for (const stop of this.#watched.values()) stop();
    this.#watched.clear();
    this.#open.stop();
    void this.#stdin.cancel().catch(() => {}); // ended already
    await this.#lastWrite.catch(() => {}); // the writers get the error
    this.onclose?.();
    this.#options.onClosed();
  }

  /** Reads messages; the end of stdin closes the transport only after all open requests. */
  async #read(): Promise<void> {
    try {
      for await (const line of readLines(this.#stdin, this.#options.maxMessageBytes)) {
        if (this.#closed) return;
        this.#take(line);
      }
    } catch (error) {
      if (!this.#closed) this.onerror?.(readError(error, this.#options.maxMessageBytes));
    }
    await this.#open.settled();
    await this.close();
  }

  #take(line: string): void {
    if (line.trim() === "") return;
    const message = parseMessage(line);
    if (message) this.#received(message);
    else this.onerror?.(unreadable(line));
  }

  #received(message: JSONRPCMessage): void {
    if (!this.#watches(message)) return;
    this.#open.received(message);
    this.#unwatch(cancelledId(message));
    this.onmessage?.(message);
  }

  /** Watches the resources that a subscription names; returns false for one that is refused. */
  #watches(message: JSONRPCMessage): boolean {
    if (!("id" in message) || message.id === undefined) return true;
    const { id } = message;
    try {
      const uris = subscribedResources(message);
      if (uris.length === 0) return true;
      this.#unwatch(id);
      this.#watched.set(id, this.#backend.watch(uris));
      return true;
    } catch (error) {
      if (!(error instanceof McpError)) throw error;
      const { code, message } = error;
      void this.send({ jsonrpc: "2.0", id, error: { code, message } }).catch(() => {}); // it has left
      return false;
    }
  }

  /** Ends what the subscription of this id watches, if there is one. */
  #unwatch(id: unknown): void {
    this.#watched.get(id)?.();
    this.#watched.delete(id);
  }
}

/** Parses the frame of a message; the library checks the rest. */
function parseMessage(line: string): JSONRPCMessage | undefined {
  // Invalid JSON is reported like JSON that is no message.
  const message: unknown = attempt(() => JSON.parse(line));
  return isObject(message) && message.jsonrpc === "2.0" ? message as JSONRPCMessage : undefined;
}

function unreadable(line: string): Error {
  return new Error(
    `Cannot read a message: ${
      JSON.stringify(line.slice(0, 80))
    }: send one JSON-RPC 2.0 message a line`,
  );
}

function readError(error: unknown, maxBytes: number): Error {
  if (!(error instanceof LineTooLong)) return error instanceof Error ? error : Error(String(error));
  return new Error(
    `Cannot read a message: it has more than ${maxBytes} bytes: send less, or raise ` +
      "gateway.max_body_mb",
  );
}
