/** Lock that lets one gateway start at a time: two starts at once end with one gateway. */

import { join } from "node:path";
import { lockFile } from "#files";
import { openRunFolder } from "#gateway/running";

/** Takes the user's start lock until disposal. The system frees it when the process ends. */
export async function lockStart(home: string, timeoutMs: number): Promise<Disposable> {
  const lock = await lockFile(join(await openRunFolder(home), "start.lock"), { timeoutMs });
  if (lock) return lock;
  throw new Error("Cannot start the gateway: another start is still under way: try again");
}
