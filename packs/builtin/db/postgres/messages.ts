/** Check of PostgreSQL's messages before the driver collects and parses them: the driver trusts the
 * length of a message and the counts in it. */

import { PackError } from "../../../errors.ts";

/** Most columns of a row, those of a statement of PostgreSQL. */
const MOST_COLUMNS = 1_664;
/** Most fields of an error or a notice: PostgreSQL has 18. */
const MOST_FIELDS = 32;

interface Kind {
  /** Most bytes of the content. */
  readonly most: number;
  /** Limit of the messages on one connection, where the driver stores or computes something for
   * each: an `execute` has 10,000 statements. */
  readonly times?: number;
  /** Position of a number of columns in the content, and the fewest bytes of each column. */
  readonly counted?: { readonly at: number; readonly each: number };
}

const EMPTY: Kind = { most: 0 };
const COPY: Kind = { most: 4_096, counted: { at: 1, each: 2 } };
const REPORT: Kind = { most: 2 ** 20 };
/** Row: its length is limited by that of the result. */
const ROW: Kind = { most: Infinity };

/** Messages that the driver knows, but for replication. */
const KINDS: Readonly<Record<string, Kind>> = {
  1: EMPTY,
  2: EMPTY,
  3: EMPTY,
  I: EMPTY,
  c: EMPTY,
  n: EMPTY,
  s: EMPTY,
  D: ROW,
  d: ROW,
  E: REPORT,
  N: REPORT,
  G: COPY,
  H: COPY,
  A: { most: 16_384 },
  C: { most: 1_024, times: 20_000 },
  K: { most: 260 },
  R: { most: 4_096, times: 10 },
  S: { most: 65_536 },
  T: { most: 262_144, times: 20_000, counted: { at: 0, each: 19 } },
  Z: { most: 1 },
  t: { most: 8_192, counted: { at: 0, each: 4 } },
};
/** Length of the value NULL. */
const NULL = 2 ** 32 - 1;

/** Checks the next bytes. Throws at the head of a message that is too long, and where one is
 * malformed. */
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

/** Generator that pauses when all bytes that have arrived are checked. */
type Steps<T> = Generator<void, T, void>;

function* follow(source: Source, checkLength: (length: number) => void): Steps<never> {
  const counts: Record<string, number> = {};
  let columns = 0;
  for (;;) {
    const name = String.fromCharCode(yield* whole(source, 1));
    const length = (yield* whole(source, 4)) - 4;
    checkLength(length);
    const { times = Infinity, counted } = checkKind(name, length);
    const count = counts[name] = (counts[name] ?? 0) + 1;
    if (count > times) throw unreadable("there are too many messages of a kind");
    if (name === "D") yield* row(source, { length, columns });
    else if (name === "E" || name === "N") yield* report(source, length);
    else if (counted) {
      const number = yield* countOf(source, { length, ...counted });
      if (name === "T") columns = number;
    } else yield* skip(source, length);
  }
}

/** Finds the kind of a message whose length fits it. */
function checkKind(name: string, length: number): Kind {
  const kind = KINDS[name];
  if (length < 0) throw unreadable("the length of a message is wrong");
  if (!kind) throw unreadable("it is of an unknown kind");
  if (length <= kind.most) return kind;
  if (kind !== REPORT) throw unreadable("a message is longer than its kind");
  const message = "Cannot take what the database said: its error or notice is over 1 MB";
  throw new PackError("too_large", message);
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

/** Reads past an error or a notice. The driver reads fields until one is the end, in one piece. */
function* report(source: Source, length: number): Steps<void> {
  let left = length;
  for (let fields = 0; left > 0; fields++) {
    left--;
    if ((yield* whole(source, 1)) === 0) return yield* skip(source, left);
    if (fields === MOST_FIELDS) throw unreadable("an error has too many fields");
    left = yield* text(source, left);
  }
  throw unreadable("an error has no end");
}

/** Reads past a text and the zero behind it, as far as there are bytes; returns the number of those
 * left. */
function* text(source: Source, length: number): Steps<number> {
  for (let left = length; left > 0;) {
    while (source.at === source.bytes.length) yield;
    const next = source.bytes.subarray(source.at, source.at + left);
    const end = next.indexOf(0);
    const passed = end < 0 ? next.length : end + 1;
    source.at += passed;
    left -= passed;
    if (end >= 0) return left;
  }
  return 0;
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
