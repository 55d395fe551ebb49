/** Types of MCP over Streamable HTTP. */

import type { Log } from "#base";
import type { McpBackend } from "../types.ts";

export interface McpHttpOptions {
  readonly backend: McpBackend;
  readonly newId: () => string;
  /** Milliseconds. */
  readonly now: () => number;
  readonly maxBodyBytes: number;
  /** Maximum number of sessions of older clients; 256. */
  readonly most?: number;
  /** Time after which an unused session is ended; 30 minutes. */
  readonly idleMs?: number;
  readonly log: Log;
}

export interface McpHttp extends AsyncDisposable {
  /** Handles one request whose sender, type and size were checked; `body` is its JSON. */
  handle(request: Request, body: unknown): Promise<Response>;
  /** Serves the client of one request for as long as it stays; `onLeft` is called when it has left. */
  attach(request: Request, onLeft: () => void): Promise<Response>;
  /** Number of open sessions. */
  sessions(): number;
}
