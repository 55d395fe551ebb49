/** Reads files in a worker after their path was checked. */

import { fstatSync, readSync } from "node:fs";
import { isUnchecked } from "./checked_file.ts";
import type { FileInput } from "./files.ts";
import { systemPhrase } from "./failure.ts";
import { type CheckedPath, openChecked } from "./open_checked.ts";
import { JobRefused } from "../../jobs/protocol.ts";

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

function open(path: string, label: string): CheckedPath {
  let file: CheckedPath;
  try {
    file = openChecked(path);
  } catch (error) {
    throw new JobRefused(`"${label}": ${systemPhrase(error) ?? "it cannot be read"}`);
  }
  if (file.isThere()) return file;
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
