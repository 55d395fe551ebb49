/** The text of a stored result, which is read in pieces: it may have tens of megabytes. */

import { attempt } from "#base";
import { distrustOf } from "#files";
import { decodeText } from "./lines.ts";

/** Bytes that are read, and searched for line ends, at once. */
const PIECE = 65_536;

/** Text of a stored result. A file that is removed meanwhile throws `NotFound`. */
export interface StoredText {
  /** Bytes. */
  readonly size: number;
  /** Milliseconds since 1970. */
  readonly modifiedAt: number;
  /** Reads the bytes from a place on, a piece at a time. Each is valid until the next. */
  pieces(from?: number): AsyncIterable<Uint8Array>;
  /** Reads all bytes. */
  bytes(): Promise<Uint8Array<ArrayBuffer>>;
  /** Reads all of it as text. */
  whole(): Promise<string>;
}

/** Finds the text in a plain file of at most `maxBytes` that no other user may have written; a link is
 * not followed. */
export async function findStoredText(
  path: string,
  maxBytes: number,
): Promise<StoredText | undefined> {
  const info = await Deno.lstat(path).catch(() => undefined); // it may be removed meanwhile
  if (!info?.isFile || info.size > maxBytes) return undefined;
  if (attempt(() => distrustOf(path) === undefined) !== true) return undefined;
  const { size } = info;
  const modifiedAt = info.mtime?.getTime() ?? 0;
  const pieces = (from = 0) => piecesOf(path, { from, size });
  return { size, modifiedAt, pieces, bytes, whole: async () => decodeText(await bytes()) };

  async function bytes(): Promise<Uint8Array<ArrayBuffer>> {
    const whole = new Uint8Array(size);
    let length = 0;
    for await (const piece of pieces()) {
      whole.set(piece, length);
      length += piece.length;
    }
    return whole.subarray(0, length);
  }
}

/** Reads up to `size`, also of a file that has grown. */
async function* piecesOf(
  path: string,
  { from, size }: { readonly from: number; readonly size: number },
): AsyncGenerator<Uint8Array> {
  using file = await Deno.open(path);
  if (from > 0) await file.seek(from, Deno.SeekMode.Start);
  const buffer = new Uint8Array(Math.min(PIECE, size - from));
  for (let left = size - from; left > 0;) {
    const length = await file.read(buffer.subarray(0, left));
    if (length === null) return;
    left -= length;
    yield buffer.subarray(0, length);
  }
}
