/** Reads files in a worker after their path was checked. */

import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { isUnchecked } from "./checked_file.ts";
import type { FileInput } from "./files.ts";
import { systemPhrase } from "./failure.ts";
import { JobRefused } from "../../jobs/protocol.ts";

const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
const PIECE = 1 << 20;

/** Yields the bytes of a file in pieces. Each piece is valid until the next. Throws `JobRefused`. */
export function* readPieces(input: FileInput): Generator<Uint8Array> {
  const { path, label, maxBytes } = input;
  using file = open(path, label);
  const stat = fstatSync(file.fd);
  const { size } = stat;
  if (!stat.isFile()) throw new JobRefused(`"${label}" is not a file`);
  if (isUnchecked(stat, input.file)) throw changed(label);
  if (size > maxBytes) throw new JobRefused(tooLarge(label, { size, maxBytes }));
  const piece = new Uint8Array(Math.min(PIECE, maxBytes));
  let total = 0;
  for (;;) {
    const length = readSync(file.fd, piece);
    if (length === 0) return;
    total += length;
    if (total > maxBytes) throw new JobRefused(tooLarge(label, { size: total, maxBytes }));
    yield piece.subarray(0, length);
  }
}

interface Open extends Disposable {
  readonly fd: number;
}

/** Opens the file. The path may have become a link since it was checked: no link is followed, neither
 * the last name nor a folder on the way. */
function open(path: string, label: string): Open {
  let fd: number;
  try {
    fd = openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  } catch (error) {
    throw new JobRefused(`"${label}": ${systemPhrase(error) ?? "it cannot be read"}`);
  }
  const file = { fd, [Symbol.dispose]: () => closeSync(fd) };
  if (Deno.realPathSync(Deno.build.os === "linux" ? `/proc/self/fd/${fd}` : path) === path) {
    return file;
  }
  file[Symbol.dispose]();
  throw changed(label);
}

function changed(label: string): JobRefused {
  return new JobRefused(`"${label}" has changed meanwhile: retry`);
}

function tooLarge(
  label: string,
  { size, maxBytes }: { readonly size: number; readonly maxBytes: number },
): string {
  const mb = (bytes: number) => (bytes / 2 ** 20).toFixed(1);
  return `"${label}" has ${mb(size)} MB, at most ${mb(maxBytes)} MB are read`;
}
