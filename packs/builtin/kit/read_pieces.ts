/** A worker's reading of a file that was let through. */

import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import type { FileInput } from "./files.ts";
import { systemPhrase } from "./failure.ts";
import { JobRefused } from "./job_protocol.ts";

const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
const PIECE = 1 << 20;

/** The file's bytes, a piece at a time; each piece is good until the next. */
export function* readPieces({ path, shown, maxBytes }: FileInput): Generator<Uint8Array> {
  using file = open(path, shown);
  const stat = fstatSync(file.fd);
  const { size } = stat;
  if (!stat.isFile()) throw new JobRefused(`"${shown}" is no file`);
  if (size > maxBytes) throw new JobRefused(tooLarge(shown, { size, maxBytes }));
  const piece = new Uint8Array(Math.min(PIECE, maxBytes));
  let total = 0;
  for (;;) {
    const length = readSync(file.fd, piece);
    if (length === 0) return;
    total += length;
    if (total > maxBytes) throw new JobRefused(tooLarge(shown, { size: total, maxBytes }));
    yield piece.subarray(0, length);
  }
}

interface Open extends Disposable {
  readonly fd: number;
}

/** What was let through may be a link by now: it is not followed, neither is one on the way. */
function open(path: string, shown: string): Open {
  let fd: number;
  try {
    fd = openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  } catch (error) {
    throw new JobRefused(`"${shown}": ${systemPhrase(error) ?? "it cannot be read"}`);
  }
  const file = { fd, [Symbol.dispose]: () => closeSync(fd) };
  if (Deno.realPathSync(Deno.build.os === "linux" ? `/proc/self/fd/${fd}` : path) === path) {
    return file;
  }
  file[Symbol.dispose]();
  throw new JobRefused(`"${shown}" has changed meanwhile: retry`);
}

function tooLarge(
  shown: string,
  { size, maxBytes }: { readonly size: number; readonly maxBytes: number },
): string {
  const mb = (bytes: number) => (bytes / 2 ** 20).toFixed(1);
  return `"${shown}" has ${mb(size)} MB, at most ${mb(maxBytes)} MB are read`;
}
