/** Lock that lets one gateway start at a time: two starts at once end with one gateway. */

import { join } from "node:path";
import { sleep } from "#base";
import { openRunFolder } from "#gateway/running";

const POLL_MS = 20;

/** Takes the user's start lock until disposal. The system frees it when the process ends. */
export async function lockStart(home: string, timeoutMs: number): Promise<AsyncDisposable> {
  const path = join(await openRunFolder(home), "start.lock");
  const file = await Deno.open(path, { create: true, write: true, mode: 0o600 });
  for (let waited = 0; !(await file.tryLock(true)); waited += POLL_MS) {
    if (waited >= timeoutMs) {
      file.close();
      throw new Error("Cannot start the gateway: another start is still under way: try again");
    }
    await sleep(POLL_MS);
  }
  return {
    [Symbol.asyncDispose]: async () => {
      await file.unlock();
      file.close();
    },
  };
}
