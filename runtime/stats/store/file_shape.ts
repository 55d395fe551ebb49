/** Look at a database file without SQLite, which parses all of its schema on the gateway's thread: a
 * clone may come with a file whose schema takes minutes. */

import { attempt } from "#base";

/** Bytes of a page of our own file. */
const PAGE = 4_096;
/** Type of a page that holds rows: the schema has this one page. */
const LEAF = 0x0d;
/** Start of the first page's own header, behind that of the file. */
const TYPE = 100;
const LOG_HEADER = 32;
const FRAME_HEADER = 24;
/** Last byte of the magic number of a log whose sums are over words with the highest byte first. */
const HIGHEST_FIRST = 0x83;

/** Returns true if the schema fits on the first page, in the file and in its log. A missing or an empty
 * file has no schema.
 *
 * Source: https://www.sqlite.org/fileformat2.html §1.3, §1.6, §4.1, §4.2. */
export function hasSmallSchema(path: string): boolean {
  return isSmall(path, isFirstPageSmall) && isSmall(`${path}-wal`, isLogSmall);
}

/** Reads bytes at an offset: fewer at the end of the file. */
type Read = (at: number, length: number) => Uint8Array;

function isSmall(path: string, check: (read: Read, size: number) => boolean): boolean {
  using file = attempt(() => Deno.openSync(path));
  const size = file?.statSync().size ?? 0;
  if (!file || size === 0) return true;
  return check((at, length) => {
    const bytes = new Uint8Array(length);
    file.seekSync(at, Deno.SeekMode.Start);
    return bytes.subarray(0, file.readSync(bytes) ?? 0);
  }, size);
}

function isFirstPageSmall(read: Read): boolean {
  const head = read(0, TYPE + 1);
  return numberAt(head, 16, 2) === PAGE && head[TYPE] === LEAF;
}

function isLogSmall(read: Read, size: number): boolean {
  const head = read(0, LOG_HEADER);
  if (head.length < LOG_HEADER) return true;
  if (numberAt(head, 8, 4) !== PAGE) return false;
  for (let at = LOG_HEADER; at < size; at += FRAME_HEADER + PAGE) {
    const frame = read(at, FRAME_HEADER + TYPE + 1);
    const type = numberAt(frame, 0, 4) === 1 ? frame[FRAME_HEADER + TYPE] : undefined;
    // Another process may be writing it just now.
    if (type !== undefined && type !== LEAF) return !isWhole(read, at);
  }
  return true;
}

/** Returns true if SQLite would take the frame at an offset, and so all those before it. */
function isWhole(read: Read, last: number): boolean {
  const head = read(0, LOG_HEADER);
  const isHighestFirst = head[3] === HIGHEST_FIRST;
  let sums = addTo([0, 0], head.subarray(0, 24), isHighestFirst);
  for (let at = LOG_HEADER; at <= last; at += FRAME_HEADER + PAGE) {
    const frame = read(at, FRAME_HEADER + PAGE);
    if (frame.length < FRAME_HEADER + PAGE) return false;
    sums = addTo(sums, frame.subarray(0, 8), isHighestFirst);
    sums = addTo(sums, frame.subarray(FRAME_HEADER), isHighestFirst);
    const isOfLog = [8, 12].every((part) =>
      numberAt(frame, part, 4) === numberAt(head, part + 8, 4)
    );
    const [first, second] = sums;
    if (!isOfLog || numberAt(frame, 16, 4) !== first || numberAt(frame, 20, 4) !== second) {
      return false;
    }
  }
  return true;
}

type Sums = readonly [number, number];

function addTo([first, second]: Sums, bytes: Uint8Array, isHighestFirst: boolean): Sums {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  for (let at = 0; at < bytes.length; at += 8) {
    first = (first + view.getUint32(at, !isHighestFirst) + second) >>> 0;
    second = (second + view.getUint32(at + 4, !isHighestFirst) + first) >>> 0;
  }
  return [first, second];
}

/** A number of `length` bytes, the highest first. */
function numberAt(bytes: Uint8Array, at: number, length: number): number {
  return bytes.subarray(at, at + length).reduce((sum, byte) => sum * 256 + byte, 0);
}
