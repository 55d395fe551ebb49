/** A log file of bounded size that several gateways may write at the same time. */

import { createQueue, sleep } from "#base";
import { linkBelow } from "#files";

export interface LogFileOptions {
  readonly path: string;
  /** Folder below which no link is followed and only plain files are written. */
  readonly root?: string;
  readonly maxBytes: number;
  /** Number of files kept: the current one, and older ones as `.1`, `.2`, … */
  readonly files: number;
  /** Called at the first failure only. */
  readonly onError: (error: unknown) => void;
}

export interface LogFile extends AsyncDisposable {
  /** Queues a line, which is written soon, together with others. Never throws. */
  write(line: string): void;
}

const DELAY_MS = 100;
const MOST_PENDING = 8 * 1024 * 1024;
const LOCK_TRIES = 50;
const LOCK_POLL_MS = 20;

/** Creates the log; the file is opened at its first line. Pending lines keep the process alive only
 * during disposal. */
export function createLogFile(options: LogFileOptions): LogFile {
  const encoder = new TextEncoder();
  let pending: string[] = [];
  let size = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const queue = createQueue();
  let failed = false;

  function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    const bytes = encoder.encode(pending.join(""));
    pending = [];
    size = 0;
    if (bytes.length === 0) return queue(() => {});
    return queue(() => append(bytes, options)).catch((error) => {
      if (!failed) options.onError(error);
      failed = true;
    });
  }

  return {
    write(line) {
      if (size > MOST_PENDING) return; // a disk that hangs must not fill the memory
      size += line.length;
      pending.push(line);
      if (timer !== undefined) return;
      timer = setTimeout(() => void flush(), DELAY_MS);
      Deno.unrefTimer(Number(timer));
    },
    [Symbol.asyncDispose]: () => flush(),
  };
}

async function append(bytes: Uint8Array, options: LogFileOptions): Promise<void> {
  refuseLinks(options);
  using file = await Deno.open(options.path, { create: true, append: true, mode: 0o600 });
  const isLocked = await lock(file);
  try {
    const { size } = await file.stat();
    if (isLocked && size > 0 && size + bytes.length > options.maxBytes) await rotate(file, options);
    for (let sent = 0; sent < bytes.length;) sent += await file.write(bytes.subarray(sent));
  } finally {
    if (isLocked) await file.unlock();
  }
}

/** Throws for a link: the project may come from a stranger, and its links may lead anywhere. */
function refuseLinks({ path, root }: LogFileOptions): void {
  const link = root === undefined ? undefined : linkBelow(path, { root });
  if (link !== undefined) throw new Error(`"${link}" is a link: remove it`);
}

/** Locks the file for one writer at a time. A writer without the lock appends, but does not rotate. */
async function lock(file: Deno.FsFile): Promise<boolean> {
  for (let attempt = 0; attempt < LOCK_TRIES; attempt++) {
    if (await file.tryLock(true)) return true;
    await sleep(LOCK_POLL_MS);
  }
  return false;
}

/** Copies and empties the file: other processes that have it open keep writing to it. */
async function rotate(
  file: Deno.FsFile,
  { path, files }: Pick<LogFileOptions, "path" | "files">,
): Promise<void> {
  for (let at = files - 1; at >= 1; at--) {
    const from = at === 1 ? path : `${path}.${at - 1}`;
    await Deno.remove(`${path}.${at}`).catch(ignoreMissing);
    if (at === 1) await Deno.copyFile(from, `${path}.1`);
    else await Deno.rename(from, `${path}.${at}`).catch(ignoreMissing);
  }
  await file.truncate(0);
}

function ignoreMissing(error: unknown): void {
  if (!(error instanceof Deno.errors.NotFound)) throw error;
}
