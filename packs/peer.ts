/** The client behind a call: requests and log messages of the server go to it. */

import type { JsonObject, JsonValue } from "#base";

/** Levels of a server's log, lowest first (MCP 2025-11-25 §logging). */
export const LOG_LEVELS = [
  "debug",
  "info",
  "notice",
  "warning",
  "error",
  "critical",
  "alert",
  "emergency",
] as const;
export type McpLogLevel = typeof LOG_LEVELS[number];

/** A message of a server's log. Untrusted text. */
export interface ServerLog {
  readonly level: McpLogLevel;
  readonly data: JsonValue;
  /** Name of the server, followed by that of its logger if there is one. */
  readonly logger: string;
}

/** A request of a server to its client: `elicitation/create`, `sampling/createMessage` or
 * `roots/list`. */
export interface ServerQuestion {
  readonly method: string;
  readonly params: JsonObject;
}

/** Notice that a question waits on the page. */
export interface PageNotice {
  readonly address: string;
  readonly waitedMs: number;
  readonly waitMs: number;
}

/** One client during one run or one request. All calls of a run share the object: a server's message
 * goes to it where all its pending calls have the same peer. */
export interface Peer {
  /** Connection of the client, the same for all its runs; the peer itself where it is missing. */
  readonly connection?: object;
  /** Abilities of the client (`elicitation`, `sampling`, `roots`), as MCP writes them. */
  readonly capabilities: JsonObject;
  /** Lowest log level for the client; without one, no server is asked to log. */
  readonly logLevel?: McpLogLevel;
  /** Asks the client; undefined where it does not answer. */
  answer(question: ServerQuestion, signal: AbortSignal): Promise<unknown>;
  /** True where the client waits for an answer that only the page can give. */
  readonly waits?: boolean;
  /** Tells the client that only the page can answer. */
  readonly onWaiting?: (notice: PageNotice) => void;
  /** Stops the clock of the client's run while a person is waited for; the returned function starts it
   * again. Missing where there is no run. */
  readonly pause?: () => () => void;
  /** Receives the server's log messages; missing where the client takes none. */
  readonly log?: (message: ServerLog) => void;
}

/** Level of a server's log message; `info` for an unknown one. */
export function readLogLevel(level: unknown): McpLogLevel {
  return LOG_LEVELS.find((each) => each === level) ?? "info";
}
