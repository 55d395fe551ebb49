/** Look at a database file without SQLite, which parses all of its schema, and recovers all of its log,
 * on the gateway's thread: a clone may come with a file that takes minutes or gigabytes. */

import { attempt } from "#base";
import { numberAt, PAGE, readFirstPage } from "./first_page.ts";
import { ForeignFile, knownDeclarations, NewerSchema, NEWEST } from "./schema.ts";

const LOG_HEADER = 32;
const FRAME_HEADER = 24;
/** A writer keeps its log at half of this: `LOG_PAGES`. */
const MOST_LOG_BYTES = 64 * 1024 * 1024;
/** Last byte of the magic number of a log whose sums are over words with the highest byte first. */
const HIGHEST_FIRST = 0x83;

/** Throws `ForeignFile` unless the file and its log declare nothing but what some step of ours makes,
 * and `NewerSchema` for a file of a newer version. A missing or an empty file is fine.
 *
 * Source: https://www.sqlite.org/fileformat2.html §4.1, §4.2. */
export function checkShape(path: string): void {
  const ours = knownDeclarations();
  const check = (page: Uint8Array) => checkPage(page, ours);
  withReader(path, (read) => check(read(0, PAGE)));
  withReader(`${path}-wal`, (read, size) => checkLog(read, size, check));
}

/** Reads bytes at an offset: fewer at the end of the file. */
type Read = (at: number, length: number) => Uint8Array;

function withReader(path: string, work: (read: Read, size: number) => void): void {
  using file = attempt(() => Deno.openSync(path));
  const size = file?.statSync().size ?? 0;
  if (!file || size === 0) return;
  work((at, length) => {
    const bytes = new Uint8Array(length);
    file.seekSync(at, Deno.SeekMode.Start);
    return bytes.subarray(0, file.readSync(bytes) ?? 0);
  }, size);
}

function checkPage(page: Uint8Array, ours: ReadonlySet<string>): void {
  const { version, declarations } = readFirstPage(page);
  if (version > NEWEST) throw new NewerSchema(version);
  if (declarations?.every((declaration) => ours.has(declaration))) return;
  throw new ForeignFile("it declares something that is not of Toolscript");
}

function checkLog(read: Read, size: number, check: (page: Uint8Array) => void): void {
  if (size > MOST_LOG_BYTES) throw new ForeignFile("its log is too large");
  const head = read(0, LOG_HEADER);
  if (head.length < LOG_HEADER) return;
  if (numberAt(head, 8, 4) !== PAGE) throw new ForeignFile("its log has other pages");
  for (let at = LOG_HEADER; at < size; at += FRAME_HEADER + PAGE) {
    if (numberAt(read(at, FRAME_HEADER), 0, 4) !== 1) continue;
    try {
      check(read(at + FRAME_HEADER, PAGE));
    } catch (error) {
      // Another process may be writing it just now.
      if (isWhole(read, at)) throw error;
      return;
    }
  }
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
