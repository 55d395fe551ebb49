/** Sockets that processes hold open, by the numbers (inodes) that the system's tables of connections
 * have for them. */

/** Numbers of sockets. */
export type Sockets = Pick<ReadonlySet<number>, "has">;

/** Files of a process that are looked at; behind `prlimit` it has at most 256. */
const MOST_FILES = 1_024;
const ALL: Sockets = { has: () => true };

/** Finds the sockets of processes. Contains every number where they cannot be listed, as when a
 * process has too many files or the system has no file left; none where there is no `/proc`. */
export async function socketsOf(pids: readonly number[]): Promise<Sockets> {
  const sockets = new Set<number>();
  try {
    for (const pid of pids) await addSockets(sockets, `/proc/${pid}/fd`);
  } catch {
    return ALL;
  }
  return sockets;
}

async function addSockets(sockets: Set<number>, folder: string): Promise<void> {
  const names = await unlessGone(() => Array.fromAsync(Deno.readDir(folder)), []);
  if (names.length > MOST_FILES) throw new RangeError(`Cannot look at ${names.length} files`);
  for (const { name } of names) {
    const target = await unlessGone(() => Deno.readLink(`${folder}/${name}`), "");
    const [, inode] = /^socket:\[(\d+)\]$/.exec(target) ?? [];
    if (inode !== undefined) sockets.add(Number(inode));
  }
}

/** Result of the work, or `gone` for a process that has ended, or a file that it has closed. */
async function unlessGone<T>(work: () => Promise<T>, gone: T): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return gone;
    throw error;
  }
}
