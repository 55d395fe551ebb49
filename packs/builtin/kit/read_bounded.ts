/** Bytes of a response body, up to a limit. */

import { ByteBuffer } from "#base";

/** Reads a body to its end. Returns undefined if it has more than `maxBytes`. */
export async function readBounded(
  body: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  maxBytes: number,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const buffer = new ByteBuffer();
  for await (const chunk of body) {
    if (buffer.size + chunk.length > maxBytes) return undefined;
    buffer.add(chunk);
  }
  return buffer.bytes().slice(); // a message to a thread takes the whole memory of a view
}
