/** A log file of bounded size that several gateways may write at the same time. */

import { linkBelow } from "#files";
import { createQueue, sleep } from "#sandbox/async";

export interface LogFileOptions {
  readonly path: string;
  /** Below this folder no link is followed, and nothing but a plain file is written. */
  readonly root?: string;
  readonly maxBytes: number;
  /** How many are kept: the one that is written, and older ones as `.1`, `.2`, … */
  readonly files: number;
  /** Told once. */
  readonly onError: (error: unknown) => void;
}

export interface LogFile extends AsyncDisposable {
  /** Takes a line; it is written soon, together with others. Never fails. */
  write(line: string): void;
}

const DELAY_MS = 100;
const MOST_PENDING = 8 * 1024 * 1024;
const LOCK_TRIES = 50;
const LOCK_POLL_MS = 20;

/** Opens the file at its first line. The process does not wait for it but at disposal. */
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
      if (size > MOST_PENDING) return; // a disk that stands still must not fill the memory
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

/** What is found in a project came with it, and may lead anywhere. */
function refuseLinks({ path, root }: LogFileOptions): void {
  const link = root === undefined ? undefined : linkBelow(path, { root });
  if (link !== undefined) throw new Error(`"${link}" is a link: remove it`);
}

/** One writer at a time; who can not have the lock appends all the same, and leaves the rest. */
async function lock(file: Deno.FsFile): Promise<boolean> {
  for (let tried = 0; tried < LOCK_TRIES; tried++) {
    if (await file.tryLock(true)) return true;
    await sleep(LOCK_POLL_MS);
  }
  return false;
}

/** Copies and empties the file, so that whoever has it open goes on in the same one. */
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
