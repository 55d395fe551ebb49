/** Turns of changes of files. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { createSemaphore, within } from "#base";
import { createLocks } from "../../../../packs/builtin/file/locks.ts";
import { createMoves } from "../../../../packs/builtin/kit/moves.ts";

const LARGE = 5 * 2 ** 20;

interface Change {
  readonly size: number;
  readonly most?: number;
}

/** The most of these changes that ran at the same time. Each waits until `atLeast` run. */
async function mostAtOnce(changes: readonly Change[], atLeast: number): Promise<number> {
  const home = await Deno.makeTempDir();
  try {
    const locks = createLocks(home, { moves: createMoves(home), turns: createSemaphore(2) });
    const reached = Promise.withResolvers<void>();
    let now = 0;
    let most = 0;
    await Promise.all(changes.map(async ({ size, most: bound }, at) => {
      const path = join(home, `${at}.txt`);
      await Deno.writeFile(path, new Uint8Array());
      await Deno.truncate(path, size);
      await locks.run(path, async () => {
        most = Math.max(most, ++now);
        if (most >= atLeast) reached.resolve();
        await within(reached.promise, 10_000);
        await new Promise((resolve) => setTimeout(resolve, 20));
        now--;
      }, { most: (before) => bound ?? before });
    }));
    return most;
  } finally {
    await Deno.remove(home, { recursive: true });
  }
}

const MANY = [...Array(6).keys()];

Deno.test("large files are changed one at a time", async () => {
  assert.equal(await mostAtOnce(MANY.map(() => ({ size: LARGE })), 1), 1);
});

Deno.test("files that become large, or were, are changed one at a time", async () => {
  const changes = MANY.map((at) =>
    at % 2 === 0 ? { size: 10, most: LARGE } : { size: LARGE, most: 10 }
  );
  assert.equal(await mostAtOnce(changes, 1), 1);
});

Deno.test("small files are changed beside a large one", async () => {
  assert.equal(await mostAtOnce(MANY.map(() => ({ size: 10 })), 2), 2);
  assert.equal(await mostAtOnce(MANY.map((at) => ({ size: at < 3 ? LARGE : 10 })), 2), 2);
});
