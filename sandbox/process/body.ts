/** Reads a request's body up to a limit. */

import { ByteBuffer } from "#base";
export interface ReadBodyOptions {
  /** Bytes that the body may have. */
  readonly limit: number;
  /** Ends the reading, and the connection with it. */
  readonly signal: AbortSignal;
}

/** The bytes of the body; undefined when it has more than `limit`. Throws when `signal` is aborted. */
export async function readBounded(
  request: Request,
  { limit, signal }: ReadBodyOptions,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const buffer = new ByteBuffer();
  if (request.body === null) return buffer.bytes();
  const reader = request.body.getReader();
  const stop = () => void reader.cancel().catch(() => {}); // the connection may be gone already
  signal.addEventListener("abort", stop);
  try {
    signal.throwIfAborted();
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      buffer.add(next.value);
      if (buffer.size > limit) return void stop();
    }
    signal.throwIfAborted();
    return buffer.bytes();
  } finally {
    signal.removeEventListener("abort", stop);
  }
}
