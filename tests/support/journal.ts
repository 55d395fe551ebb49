/** Journals of SQLite that name a file, which SQLite deletes when it plays one back. */

/** Page that SQLite leaves out, and the last bytes of a journal that names another. */
const LOCK_PAGE = Math.floor(0x4000_0000 / 4_096) + 1;
const MAGIC = [0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7];

/** End of a journal by which SQLite deletes `path`. */
export function journalEnd(path: string): Uint8Array {
  const name = new TextEncoder().encode(path);
  const bytes = new Uint8Array(name.length + 20);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, LOCK_PAGE);
  bytes.set(name, 4);
  view.setUint32(name.length + 4, name.length);
  view.setUint32(name.length + 8, name.reduce((sum, byte) => sum + byte, 0));
  bytes.set(MAGIC, name.length + 12);
  return bytes;
}

/** A journal that SQLite plays back at the first statement. */
export function journalOf(path: string): Uint8Array {
  // SQLite leaves a journal alone that begins with 0.
  const begin = new Uint8Array(512).fill(1);
  const end = journalEnd(path);
  const bytes = new Uint8Array(begin.length + end.length);
  bytes.set(begin);
  bytes.set(end, begin.length);
  return bytes;
}
