/** The client behind a call, as far as the server that is called may turn to it. */

import type { JsonObject, JsonValue } from "#sandbox";

/** The levels of a server's log, the least first (MCP 2025-11-25 §logging). */
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
  /** The server's name, with the name of its logger where it gave one. */
  readonly logger: string;
}

/** A request of a server to its client: `elicitation/create`, `sampling/createMessage` or
 * `roots/list`. */
export interface ServerQuestion {
  readonly method: string;
  readonly params: JsonObject;
}

/** One client during one run, or during one request of it. The same object for all calls of that
 * run: a server's words go to it where every call under way has the same one. */
export interface Peer {
  /** Connection of the client, the same for all its runs; the peer itself where it is missing. */
  readonly connection?: object;
  /** Abilities of the client (`elicitation`, `sampling`, `roots`), as MCP writes them. */
  readonly capabilities: JsonObject;
  /** Least level of log that the client wants; no server is asked for one where it is missing. */
  readonly logLevel?: McpLogLevel;
  /** Puts a question to the client; undefined where it gave no answer. */
  answer(question: ServerQuestion, signal: AbortSignal): Promise<unknown>;
  /** Takes a message of the server's log; missing where the client is not told. */
  readonly log?: (message: ServerLog) => void;
}

/** Level that a server wrote, `info` for one that does not exist. */
export function readLogLevel(level: unknown): McpLogLevel {
  return LOG_LEVELS.find((each) => each === level) ?? "info";
}
