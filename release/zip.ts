/** Zip files: one entry after another, without an archive in memory. */

import { crc32, deflateRawSync } from "node:zlib";

export interface ZipEntry {
  /** Path in the archive, with slashes. */
  readonly name: string;
  /** Mode of the file, `0o755` for a program. */
  readonly mode: number;
  readonly bytes: Uint8Array;
}

const UTF8 = 0x800;
const DEFLATE = 8;
/** The first day that the format has: archives of the same files are the same. */
const DAY = 0x21;
const VERSION = 20;
const UNIX = 0x0300 | VERSION;
const REGULAR_FILE = 0o100000;

/** Writes the entries; at most 65,535, below 4 GB in all. */
export async function writeZip(
  path: string,
  entries: AsyncIterable<ZipEntry>,
): Promise<void> {
  using file = await Deno.open(path, { write: true, create: true, truncate: true });
  const directory: Uint8Array[] = [];
  let offset = 0;
  const write = async (bytes: Uint8Array) => {
    for (let at = 0; at < bytes.length;) at += await file.write(bytes.subarray(at));
    offset += bytes.length;
  };
  for await (const { name, mode, bytes } of entries) {
    const text = new TextEncoder().encode(name);
    const packed = deflateRawSync(bytes);
    const facts = [
      ...two(VERSION, UTF8, DEFLATE, 0, DAY),
      ...four(crc32(bytes), packed.length, bytes.length),
      ...two(text.length, 0),
    ];
    const attributes = ((REGULAR_FILE | mode) << 16) >>> 0;
    directory.push(
      joined([...four(0x02014b50), ...two(UNIX), ...facts, ...two(0, 0, 0)]),
      joined(four(attributes, offset)),
      text,
    );
    await write(joined([...four(0x04034b50), ...facts]));
    await write(text);
    await write(packed);
  }
  const start = offset;
  for (const part of directory) await write(part);
  const count = directory.length / 3;
  const size = offset - start;
  await write(joined([...four(0x06054b50), ...two(0, 0, count, count), ...four(size, start)]));
  await write(joined(two(0)));
}

/** Numbers of two bytes each, the low one first. */
function two(...values: readonly number[]): number[] {
  return values.flatMap((value) => [value & 0xff, (value >>> 8) & 0xff]);
}

/** Numbers of four bytes each, the low one first. */
function four(...values: readonly number[]): number[] {
  return values.flatMap((value) => two(value & 0xffff, value >>> 16));
}

function joined(bytes: readonly number[]): Uint8Array {
  return Uint8Array.from(bytes);
}
