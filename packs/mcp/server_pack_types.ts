/** Interface of a pack with an MCP server behind it. */

import type { JsonObject, Log, Tracer } from "#base";
import type { Watcher } from "../process/watcher.ts";
import type { CallOptions, Pack } from "../types.ts";
import type { TokenKeeper } from "./auth/keeper.ts";
import type { Fetch } from "./connect/plain_fetch.ts";
import type { ServerInfo, ServerNotice } from "./connect/connection.ts";
import type { Pins } from "./pins/pins.ts";
import type { ToolProblem } from "./tools/tool_list.ts";

export interface ServerPackDeps {
  readonly log: Log;
  readonly tracer?: Tracer;
  /** One for the whole gateway. */
  readonly watcher: Watcher;
  readonly fetch: Fetch;
  /** Tokens; without it, no sign-in is known. */
  readonly keeper?: TokenKeeper;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Tool lists are kept in `tools/` below it. */
  readonly cacheDir: string;
  /** One for the whole gateway; without it no change of a tool is seen. */
  readonly pins?: Pins;
  /** Environment of the gateway; children get the part that a program needs to start. */
  readonly environment: Readonly<Record<string, string>>;
  /** The open project; servers of the home folder start no program of it. */
  readonly project?: string;
  readonly clientVersion: string;
  /** For a gateway that serves one program: a server whose list was cached within the last day is
   * started by its first call or `wake` only. */
  readonly lazy?: boolean;
  /** Time limit of a connection attempt, installation included; 180 s. */
  readonly connectTimeoutMs?: number;
  /** Time after which a silent process counts as one of the older protocol; 5 s. */
  readonly probeTimeoutMs?: number;
  /** Longest message; 64 MB. */
  readonly maxMessageBytes?: number;
}

/** A pack with a server behind it. */
export interface ServerPack extends Pack {
  /** Connects in the background, unless the server is disabled. A lazy one with a cached list waits for
   * its first call. */
  start(): void;
  /** Connects in the background, also a lazy server: the program is about to call it. */
  wake(): void;
  /** Description by the server itself; null before the first connection. */
  info(): ServerInfo | null;
  /** Cached on disk. */
  instructions(): string | null;
  /** Entries of its tool list that were left out. */
  problems(): readonly ToolProblem[];
  /** Capabilities of the server; connects if necessary. Throws `PackError`. */
  capabilities(options: CallOptions): Promise<JsonObject>;
  /** Forwards a request, and resolves to the result of the server. Throws `PackError`. */
  request(method: string, params: JsonObject, options: CallOptions): Promise<unknown>;
  /** Subscribes to a resource; the returned function unsubscribes. */
  watch(uri: string, options: CallOptions): Promise<() => Promise<void>>;
  /** Calls `listener` for notifications other than the log. Returns the function that unsubscribes. */
  onNotice(listener: (notice: ServerChange) => void): () => void;
}

/** A list or a resource of a server that has changed. */
export type ServerChange = Exclude<ServerNotice, { kind: "log" }>;
