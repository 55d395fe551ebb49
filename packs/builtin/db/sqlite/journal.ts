/** Check of the journal beside an SQLite file before SQLite plays it back. */

/** Last bytes of a journal that names another one. */
const MAGIC = [0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7];

/** True if the journal of a database names a file, which SQLite would delete. A statement here changes
 * one database only, and its journal names none. */
export function namesFile(database: string): boolean {
  const path = `${Deno.realPathSync(database)}-journal`;
  let file: Deno.FsFile;
  try {
    file = Deno.openSync(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
  using journal = file;
  const { size } = journal.statSync();
  if (size < MAGIC.length) return false;
  journal.seekSync(size - MAGIC.length, Deno.SeekMode.Start);
  const end = new Uint8Array(MAGIC.length);
  journal.readSync(end);
  return MAGIC.every((byte, at) => end[at] === byte);
}
