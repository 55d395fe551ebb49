/** `POST /attach`: MCP as on stdin and stdout, over the two bodies of one request, for as long as the
 * client lives. The process between client and gateway only has to pass on lines. */

import { attempt, type Log, within } from "#base";
import { requireType } from "../../body.ts";
import { CWD_HEADER, readCwd } from "../client/forward.ts";
import type { McpBackend } from "../types.ts";
import { serveMcpStdio } from "./stdio.ts";

export interface AttachedOptions {
  readonly backend: McpBackend;
  readonly maxBodyBytes: number;
  readonly log: Log;
  /** Called when the client has left. */
  readonly onLeft: () => void;
}

/** Client on an open request. */
export interface AttachedClient extends AsyncDisposable {
  readonly response: Response;
}

/** Empty line, by which a client sees that the gateway responds. */
const BEAT = new TextEncoder().encode("\n");
const BEAT_MS = 5_000;
/** Time for the last messages at the end of the gateway. */
const LAST_MS = 500;

/** Serves the client that sent the request; throws 415 for another type than lines of JSON. */
export function attachClient(request: Request, options: AttachedOptions): AttachedClient {
  requireType(request, "application/x-ndjson");
  const { log, onLeft, maxBodyBytes } = options;
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const writer = writable.getWriter();
  const stdio = serveMcpStdio(inFolder(options.backend, request), {
    stdin: request.body ?? new Blob().stream(),
    write: (bytes) => writer.write(bytes),
    maxMessageBytes: maxBodyBytes,
    onError: (error) => log("debug", "An MCP message was refused", { error: error.message }),
  });
  const beat = () => {
    // A client that reads nothing gets no more of them.
    if ((writer.desiredSize ?? 0) > 0) writer.write(BEAT).catch(() => {}); // `closed` tells of it
  };
  beat();
  const beats = setInterval(beat, BEAT_MS);
  const end = () => void writer.close().catch(() => {}); // the client has gone
  const left = () => {
    clearInterval(beats);
    void stdio.close();
    onLeft();
  };
  writer.closed.then(left, left);
  void stdio.closed.then(end);
  request.signal.addEventListener("abort", end, { once: true });
  return {
    response: new Response(readable, { headers: { "content-type": "application/x-ndjson" } }),
    async [Symbol.asyncDispose]() {
      // First the stream: the client goes on with another gateway, and its subscriptions last.
      end();
      await within(stdio.close(), LAST_MS);
      await writer.abort().catch(() => {}); // for a client that reads nothing
    },
  };
}

/** The backend for a client whose calls come from the folder that its header names. */
function inFolder(backend: McpBackend, { headers }: Request): McpBackend {
  const cwd = readCwd(attempt(() => decodeURIComponent(headers.get(CWD_HEADER) ?? "")));
  if (cwd === undefined) return backend;
  return {
    ...backend,
    handle: (request, exchange) => backend.handle(request, { ...exchange, cwd }),
  };
}
