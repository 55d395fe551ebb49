/** Plain connection to an MCP server over HTTP, for a program that forwards requests. */

import type { Log } from "#base";
import { connect } from "./connect.ts";
import type { Connection, ServerNotice } from "./connection.ts";
import type { Fetch } from "./bounded_fetch.ts";
import { createWatcher } from "../../process/watcher.ts";

export interface RemoteOptions {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly fetch: Fetch;
  readonly log: Log;
  readonly clientVersion: string;
  readonly signal: AbortSignal;
  readonly onNotice: (notice: ServerNotice) => void;
}

const MAX_MESSAGE_BYTES = 24 * 1024 * 1024;
const PROBE_TIMEOUT_MS = 5_000;

/** Connects in the newest protocol. Throws `ConnectError`, and the signal's reason when aborted. */
export async function connectRemote(options: RemoteOptions): Promise<Connection> {
  const { url, headers, log, fetch, clientVersion, signal, onNotice } = options;
  const config = {
    kind: "http" as const,
    name: "gateway",
    url,
    headers,
    enabled: true,
    external: false,
    learn: false,
    include: [],
    exclude: [],
    timeoutMs: 0,
  };
  return await connect(config, { transport: "http", era: "modern" }, {
    log,
    fetch,
    clientVersion,
    watcher: createWatcher({ log }), // unused without a process
    environment: {},
    maxMessageBytes: MAX_MESSAGE_BYTES,
    probeTimeoutMs: PROBE_TIMEOUT_MS,
  }, { signal, onNotice });
}
