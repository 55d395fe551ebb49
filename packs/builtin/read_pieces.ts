/** A worker's reading of a file that was let through. */

import type { FileInput } from "./files.ts";
import { systemPhrase } from "./failure.ts";
import { JobRefused } from "./job_protocol.ts";

const PIECE = 1 << 20;

/** The file's bytes, a piece at a time; each piece is good until the next. */
export function* readPieces({ path, shown, maxBytes }: FileInput): Generator<Uint8Array> {
  using file = open(path, shown);
  const { isFile, size } = file.statSync();
  if (!isFile) throw new JobRefused(`"${shown}" is no file`);
  if (size > maxBytes) throw new JobRefused(tooLarge(shown, { size, maxBytes }));
  const piece = new Uint8Array(Math.min(PIECE, maxBytes));
  let total = 0;
  for (;;) {
    const length = file.readSync(piece);
    if (length === null) return;
    total += length;
    if (total > maxBytes) throw new JobRefused(tooLarge(shown, { size: total, maxBytes }));
    yield piece.subarray(0, length);
  }
}

function open(path: string, shown: string): Deno.FsFile {
  try {
    return Deno.openSync(path, { read: true });
  } catch (error) {
    throw new JobRefused(`"${shown}": ${systemPhrase(error) ?? "it cannot be read"}`);
  }
}

function tooLarge(
  shown: string,
  { size, maxBytes }: { readonly size: number; readonly maxBytes: number },
): string {
  const mb = (bytes: number) => (bytes / 2 ** 20).toFixed(1);
  return `"${shown}" has ${mb(size)} MB, at most ${mb(maxBytes)} MB are read`;
}
