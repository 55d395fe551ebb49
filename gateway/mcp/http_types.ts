/** Types of MCP over Streamable HTTP. */

import type { Log } from "#sandbox";
import type { McpBackend } from "./types.ts";

export interface McpHttpOptions {
  readonly backend: McpBackend;
  readonly newId: () => string;
  /** Milliseconds. */
  readonly now: () => number;
  readonly maxBodyBytes: number;
  /** The most sessions of older clients at a time; 256. */
  readonly most?: number;
  /** A session that nobody used for so long is ended; 30 minutes. */
  readonly idleMs?: number;
  readonly log: Log;
}

export interface McpHttp extends AsyncDisposable {
  /** Answers one request whose sender, type and size were checked; `body` is its JSON. */
  handle(request: Request, body: unknown): Promise<Response>;
  /** Sessions that are open. */
  sessions(): number;
}
