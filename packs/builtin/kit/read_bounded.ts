/** Bytes of a response body, up to a limit. */

import { ByteBuffer, createTurns } from "#base";

/** Bytes from which on a body is large. */
const LARGE_BODY = 8 * 2 ** 20;

/** Reads a body to its end, and lets other work run meanwhile. Returns undefined if it has more than
 * `maxBytes`. Goes on with a large body when `onLarge` allows it. */
export async function readBounded(
  body: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  maxBytes: number,
  onLarge?: () => Promise<void>,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const buffer = new ByteBuffer();
  const turn = createTurns();
  for await (const chunk of body) {
    const size = buffer.size + chunk.length;
    if (size > maxBytes) return undefined;
    if (buffer.size <= LARGE_BODY && size > LARGE_BODY) await onLarge?.();
    buffer.add(chunk);
    await turn();
  }
  return buffer.take();
}
