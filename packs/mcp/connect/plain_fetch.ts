/** A `fetch` for answers that come unpacked: what unpacks to nothing is bounded by nothing. */

import { describeFailure, type Failure } from "./failure.ts";

export type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

/** Encodings that compress. A server that names another one sends its text as it is. */
const COMPRESSIONS: ReadonlySet<string> = new Set([
  "gzip",
  "x-gzip",
  "deflate",
  "br",
  "zstd",
  "compress",
  "x-compress",
]);

const COMPRESSED: Failure = { kind: "compressed" };

/** Refusal of an answer that is compressed although `identity` was requested. */
export class CompressedAnswer extends Error {
  override readonly name = "CompressedAnswer";
  readonly failure = COMPRESSED;
  constructor() {
    super(`Cannot read what the server sends: ${describeFailure(COMPRESSED)}`);
  }
}

/** Wraps `fetch`: nothing is unpacked, and a compressed answer is refused, as `CompressedAnswer`. An
 * error status, and an answer without a body, are passed on as they come. */
export function createPlainFetch(fetch: Fetch): Fetch {
  return async (input, init) => {
    const headers = new Headers(init?.headers ?? (input instanceof Request ? input.headers : {}));
    // For any other value, or none, Deno unpacks in the thread that answers requests.
    headers.set("accept-encoding", "identity");
    const response = await fetch(input, { ...init, headers });
    if (!response.ok || !hasBody(response) || !isCompressed(response)) return response;
    void response.body?.cancel().catch(() => {}); // the connection may be gone
    throw new CompressedAnswer();
  };
}

/** True for an answer that has a body, as far as its head says. That of 202 holds no message. */
function hasBody({ body, status, headers }: Response): boolean {
  return body !== null && status !== 202 && status !== 204 && status !== 205 &&
    headers.get("content-length") !== "0";
}

function isCompressed({ headers }: Response): boolean {
  const encodings = headers.get("content-encoding")?.toLowerCase().split(",") ?? [];
  return encodings.some((encoding) => COMPRESSIONS.has(encoding.trim()));
}
