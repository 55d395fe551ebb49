/** Messages of PostgreSQL, followed before the driver gathers and reads them: it believes what one
 * tells of its length and of the numbers in it. */

import { PackError } from "../../../errors.ts";

/** Most columns of a row, those of a statement of PostgreSQL. */
const MOST_COLUMNS = 1_664;
/** Most messages of a kind on one connection, where the driver keeps something of each or calculates:
 * an `execute` has 10,000 statements. */
const MOST: Readonly<Record<string, number>> = { R: 10, T: 20_000, C: 20_000 };
/** Where the content tells a number of columns, and the bytes that each has at least. */
const COUNTED: Readonly<Record<string, { readonly at: number; readonly each: number }>> = {
  T: { at: 0, each: 19 },
  t: { at: 0, each: 4 },
  G: { at: 1, each: 2 },
  H: { at: 1, each: 2 },
  W: { at: 1, each: 2 },
};
/** Length of the value NULL. */
const NULL = 2 ** 32 - 1;

/** Looks at the next bytes. Throws at the head of one that does not fit, and where one is wrong. */
export type Follow = (bytes: Uint8Array) => void;

/** Makes a reader of one connection's messages; `checkLength` throws where one does not fit. */
export function followMessages(checkLength: (length: number) => void): Follow {
  const source: Source = { bytes: new Uint8Array(), at: 0 };
  const steps = follow(source, checkLength);
  steps.next();
  return (bytes) => {
    Object.assign(source, { bytes, at: 0 });
    steps.next();
  };
}

/** Error for bytes that are no messages. */
export function unreadable(reason: string): PackError {
  const message = `Cannot read what the database sent: ${reason}: it is no message of PostgreSQL`;
  return new PackError("unavailable", message);
}

/** The bytes that came last, and how far they were looked at. */
interface Source {
  readonly bytes: Uint8Array;
  at: number;
}

/** A step ends when all bytes that came have been looked at. */
type Steps<T> = Generator<void, T, void>;

function* follow(source: Source, checkLength: (length: number) => void): Steps<never> {
  const counts: Record<string, number> = {};
  let columns = 0;
  for (;;) {
    const kind = String.fromCharCode(yield* whole(source, 1));
    const length = (yield* whole(source, 4)) - 4;
    checkLength(length);
    if (length < 0) throw unreadable("the length of a message is wrong");
    const count = counts[kind] = (counts[kind] ?? 0) + 1;
    if (count > (MOST[kind] ?? Infinity)) throw unreadable("there are too many messages of a kind");
    const counted = COUNTED[kind];
    if (kind === "D") yield* row(source, { length, columns });
    else if (kind === "E" || kind === "N") yield* report(source, length);
    else if (counted) {
      const number = yield* countOf(source, { length, ...counted });
      if (kind === "T") columns = number;
    } else yield* skip(source, length);
  }
}

/** Reads past a row. The driver goes back in it by a negative length. */
function* row(
  source: Source,
  { length, columns }: { length: number; columns: number },
): Steps<void> {
  let left = length - 2;
  if (left < 0 || (yield* whole(source, 2)) !== columns) {
    throw unreadable("a row has another number of values than columns");
  }
  for (let count = 0; count < columns; count++) {
    left -= 4;
    const size = left < 0 ? 0 : yield* whole(source, 4);
    if (size !== NULL) left -= size;
    if (left < 0) throw unreadable("a value is longer than its row");
    if (size !== NULL) yield* skip(source, size);
  }
  if (left > 0) throw unreadable("a row is longer than its values");
}

/** Reads past an error or a notice. The driver looks for its end for ever. */
function* report(source: Source, length: number): Steps<void> {
  yield* skip(source, Math.max(0, length - 2));
  if (length < 2 || (yield* whole(source, 2)) !== 0) throw unreadable("an error has no end");
}

interface Counted {
  readonly length: number;
  readonly at: number;
  readonly each: number;
}

function* countOf(source: Source, { length, at, each }: Counted): Steps<number> {
  const left = length - at - 2;
  if (left < 0) throw unreadable("a number of columns is missing");
  yield* skip(source, at);
  const count = yield* whole(source, 2);
  if (count > MOST_COLUMNS || count * each > left) {
    throw unreadable("it tells of more columns than there are");
  }
  yield* skip(source, left);
  return count;
}

/** Reads a whole number of so many bytes. */
function* whole(source: Source, size: number): Steps<number> {
  let value = 0;
  for (let left = size; left > 0; left--) {
    while (source.at === source.bytes.length) yield;
    value = value * 256 + (source.bytes[source.at++] ?? 0);
  }
  return value;
}

function* skip(source: Source, count: number): Steps<void> {
  let left = count;
  while (left > source.bytes.length - source.at) {
    left -= source.bytes.length - source.at;
    source.at = source.bytes.length;
    yield;
  }
  source.at += left;
}
