/** Turns of changes of files. */

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { join } from "node:path";
import { within } from "#base";
import { createLocks, type Locks } from "../../../../packs/builtin/file/locks.ts";
import { createFileTurns, type FileTurns } from "../../../../packs/builtin/file/turns.ts";
import { createMoves } from "../../../../packs/builtin/kit/moves.ts";

const LARGE = 5 * 2 ** 20;
/** Bytes of a file that is neither small nor large. */
const MIDDLE = 300_000;
/** Caller without a run. */
const nobody = { signal: new AbortController().signal, run: undefined };

interface Change {
  readonly size: number;
  readonly most?: number;
}

/** Paths with a lock of the user's gateways each: they have 256, and two paths may have the same. */
function pathsIn(folder: string, count: number): string[] {
  const paths = new Map<string, string>();
  for (let at = 0; paths.size < count; at++) {
    const path = join(folder, `${at}.txt`);
    paths.set(createHash("sha256").update(path).digest("hex").slice(0, 2), path);
  }
  return [...paths.values()];
}

/** The most of these changes that ran at the same time. Each waits until `atLeast` run. */
async function mostAtOnce(changes: readonly Change[], atLeast: number): Promise<number> {
  const home = await Deno.makeTempDir();
  try {
    const locks = createLocks(home, { moves: createMoves(home), turns: createFileTurns() });
    const reached = Promise.withResolvers<void>();
    let now = 0;
    let most = 0;
    const paths = pathsIn(home, changes.length);
    await Promise.all(changes.map(async ({ size, most: bound }, at) => {
      const path = paths[at] ?? "";
      await Deno.writeFile(path, new Uint8Array());
      await Deno.truncate(path, size);
      await locks.run(path, async () => {
        most = Math.max(most, ++now);
        if (most >= atLeast) reached.resolve();
        await within(reached.promise, 60_000);
        await new Promise((resolve) => setTimeout(resolve, 20));
        now--;
      }, { most: (before) => bound ?? before, ...nobody });
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

Deno.test("files of a middle size are changed beside a large one, two at a time", async () => {
  assert.equal(await mostAtOnce(MANY.map(() => ({ size: MIDDLE })), 2), 2);
  assert.equal(await mostAtOnce(MANY.map((at) => ({ size: at < 3 ? LARGE : MIDDLE })), 2), 2);
});

Deno.test("small files are changed beside all others", async () => {
  const sizes = [LARGE, LARGE, MIDDLE, MIDDLE, 10, 10];
  assert.equal(await mostAtOnce(sizes.map((size) => ({ size })), 4), 4);
});

interface LocksStage {
  readonly locks: Locks;
  readonly turns: FileTurns;
  /** Names of the work that has begun. */
  readonly begun: string[];
  /** Makes work that goes on until `end` is called with its name. */
  work(name: string): () => Promise<void>;
  /** Ends work once it has begun. */
  end(name: string): Promise<void>;
}

async function withLocks(test: (stage: LocksStage) => Promise<void>): Promise<void> {
  const home = await Deno.makeTempDir();
  const turns = createFileTurns();
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  try {
    await test({
      locks: createLocks(home, { moves: createMoves(home), turns }),
      turns,
      begun,
      work: (name) => () => {
        begun.push(name);
        return new Promise((resolve) => ends.set(name, resolve));
      },
      async end(name) {
        while (!ends.has(name)) await settle();
        ends.get(name)?.();
      },
    });
  } finally {
    await Deno.remove(home, { recursive: true });
  }
}

const settle = () => new Promise((resolve) => setTimeout(resolve, 50));
const most = (before: number) => before;
const path = "/missing.txt";

Deno.test("work that gives up lets none pass the work before it", () =>
  withLocks(async ({ locks, begun, work, end }) => {
    const run = new AbortController();
    const { signal } = run;
    const first = locks.run(path, work("first"), { ...nobody, most, signal });
    const rejections = [1, 2].map(() =>
      assert.rejects(locks.run(path, work("given up"), { ...nobody, most, signal }), {
        message: "ended",
      })
    );
    const later = locks.run(path, work("later"), { ...nobody, most });
    const last = locks.run(path, work("last"), { ...nobody, most });
    await settle();
    run.abort(new Error("ended"));
    // While the first works: what has begun goes on.
    await Promise.all(rejections);
    await settle();
    assert.deepEqual(begun, ["first"]);
    for (const [name, promise] of Object.entries({ first, later, last })) {
      await settle();
      await end(name);
      await promise;
    }
    assert.deepEqual(begun, ["first", "later", "last"]);
  }));

Deno.test("work that gives up before its turn keeps no turn", () =>
  withLocks(async ({ locks, turns, begun, work, end }) => {
    const others = [await turns.read(LARGE, nobody), await turns.read(LARGE, nobody)];
    for (const size of [MIDDLE, LARGE]) {
      const run = new AbortController();
      const options = { ...nobody, most: () => size, signal: run.signal };
      const rejections = [1, 2].map((at) =>
        assert.rejects(locks.run(path + at, work("given up"), options), { name: "AbortError" })
      );
      await settle();
      run.abort();
      await Promise.all(rejections);
      await assert.rejects(locks.run(path, work("late"), options), { name: "AbortError" });
    }
    for (const turn of others) turn[Symbol.dispose]();
    const next = locks.run(path + 1, work("next"), { ...nobody, most: () => LARGE });
    await end("next");
    assert.deepEqual(begun, ["next"]);
    await next;
    assert.ok(
      await within(Promise.all([turns.read(LARGE, nobody), turns.read(LARGE, nobody)]), 60_000),
    );
  }));
