/** Turns of moves and of work that relies on paths. */

import assert from "node:assert/strict";
import { abortable, sleep, within } from "#base";
import { createMoves, type Moves, type MovesOptions } from "../../../../packs/builtin/kit/moves.ts";

/** Longer than any work here is meant to wait. */
const LONG_MS = 15_000;

interface Stage {
  /** Turns of one gateway. */
  readonly moves: Moves;
  /** Those of another one of the same user. */
  readonly elsewhere: Moves;
}

async function withMoves(
  work: (stage: Stage) => Promise<void>,
  options?: MovesOptions,
): Promise<void> {
  const home = await Deno.makeTempDir();
  try {
    await work({ moves: createMoves(home, options), elsewhere: createMoves(home, options) });
  } finally {
    await Deno.remove(home, { recursive: true });
  }
}

/** Slow work that has begun, and goes on until `end` is called. */
async function slowWork(moves: Moves) {
  const [begun, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const work = moves.beside(async () => {
    begun.resolve();
    await ended.promise;
  });
  await begun.promise;
  return { work, end: ended.resolve };
}

const GIVEN_UP = { code: "unavailable", retryable: true, message: /Cannot use files: .*: retry$/ };

for (const [name, slowAt] of [["this", "moves"], ["another", "elsewhere"]] as const) {
  Deno.test(`a move gives up while a call of ${name} gateway is slow`, () =>
    withMoves(async (stage) => {
      const { moves } = stage;
      const slow = await slowWork(stage[slowAt]);
      const order: string[] = [];
      const moved: Promise<unknown>[] = [];
      for (const at of [0, 1, 2]) {
        moved.push(
          assert.rejects(moves.alone(() => Promise.resolve(order.push("moved"))), GIVEN_UP)
            .then(() => order.push(`gave up ${at}`)),
        );
      }
      const read = moves.beside(() => Promise.resolve(order.push("read")));
      assert.ok(await within(Promise.all([read, ...moved]), LONG_MS), order.join());
      assert.deepEqual(order, ["read", "gave up 0", "gave up 1", "gave up 2"]);
      slow.end();
      await slow.work;
      await moves.alone(() => Promise.resolve(order.push("moved")));
      assert.equal(order.at(-1), "moved");
    }));
}

Deno.test("moves that follow each other hold no reader back", () =>
  withMoves(async ({ moves }) => {
    const slow = await slowWork(moves);
    let isOver = false;
    const movers = Promise.all([1, 2, 3].map(async () => {
      while (!isOver) await moves.alone(() => Promise.resolve()).catch(() => {});
    }));
    for (let reads = 0; reads < 5; reads++) {
      assert.ok(await within(moves.beside(() => Promise.resolve()), LONG_MS));
    }
    isOver = true;
    slow.end();
    await Promise.all([movers, slow.work]);
  }));

Deno.test("a move has its turn when the work before it ends, before the work after it", () =>
  withMoves(async ({ moves }) => {
    const slow = await slowWork(moves);
    const order: string[] = [];
    const note = (text: string) => () => Promise.resolve(order.push(text));
    const moved = [moves.alone(note("move")), moves.alone(note("second move"))];
    await sleep(0);
    const read = moves.beside(note("read"));
    slow.end();
    await Promise.all([slow.work, read, ...moved]);
    assert.equal(order[0], "move");
    assert.equal(order.length, 3);
  }));

Deno.test("between long moves of one run, others have as much time", () =>
  withMoves(async ({ moves }) => {
    const order: string[] = [];
    const move = () =>
      moves.alone(async () => {
        order.push("move");
        await sleep(1_500);
      }, { run: "r_1" });
    const moved = Promise.all([move(), move()]);
    while (order.length === 0) await sleep(1);
    for (let reads = 0; reads < 3; reads++) {
      await moves.beside(() => Promise.resolve(order.push("read")));
    }
    await moved;
    assert.deepEqual(order, ["move", "read", "read", "read", "move"]);
  }));

Deno.test("an error of a move is its caller's, and ends its turn", () =>
  withMoves(async ({ moves }) => {
    await assert.rejects(moves.alone(() => Promise.reject(new Error("no"))), { message: "no" });
    assert.equal(await moves.beside(() => Promise.resolve(1)), 1);
    assert.equal(await moves.alone(() => Promise.resolve(2)), 2);
  }));

Deno.test("nothing runs beside a move, in no gateway", () =>
  withMoves(async ({ moves, elsewhere }) => {
    let [readers, movers, moved] = [0, 0, 0];
    const read = async () => {
      readers++;
      assert.equal(movers, 0);
      await sleep(1);
      assert.equal(movers, 0);
      readers--;
    };
    const move = async () => {
      assert.deepEqual([readers, movers++], [0, 0]);
      await sleep(1);
      assert.deepEqual([readers, movers--], [0, 1]);
      moved++;
    };
    await Promise.all(Array.from({ length: 60 }, (_, at) => {
      const own = at % 2 === 0 ? moves : elsewhere;
      return at % 5 === 0 ? own.alone(move) : own.beside(read);
    }));
    assert.equal(moved, 12);
  }));

const ENDED = { message: "ended" };

for (const [name, slowAt] of [["this", "moves"], ["another", "elsewhere"]] as const) {
  Deno.test(`a move of an ended run gives up while a call of ${name} gateway is slow`, () =>
    withMoves(async (stage) => {
      const { moves } = stage;
      const slow = await slowWork(stage[slowAt]);
      const run = new AbortController();
      const order: string[] = [];
      const note = (text: string) => () => Promise.resolve(order.push(text));
      const rejections = [1, 2].map(() =>
        assert.rejects(moves.alone(note("given up"), run), ENDED)
      );
      const later = moves.alone(note("move"));
      await sleep(0);
      run.abort(new Error("ended"));
      assert.ok(await within(Promise.all(rejections), LONG_MS));
      assert.ok(await within(moves.beside(note("read")), LONG_MS));
      slow.end();
      await Promise.all([slow.work, later]);
      assert.deepEqual(order, ["read", "move"]);
    }));
}

Deno.test("work of an ended run gives up behind a move, and lets none pass it", () =>
  withMoves(async ({ moves }) => {
    const run = new AbortController();
    const begun = Promise.withResolvers<void>();
    const end = Promise.withResolvers<void>();
    const order: string[] = [];
    const note = (text: string) => () => Promise.resolve(order.push(text));
    // Of the same run: what has begun goes on.
    const first = moves.alone(async () => {
      begun.resolve();
      await end.promise;
      order.push("first");
    }, run);
    await begun.promise;
    const rejections = [
      moves.alone(note("move"), run),
      moves.beside(note("read"), run.signal),
    ]
      .map((work) => assert.rejects(work, ENDED));
    const later = [moves.alone(note("later")), moves.beside(note("later"))];
    await sleep(0);
    run.abort(new Error("ended"));
    assert.ok(await within(Promise.all(rejections), LONG_MS));
    await sleep(10);
    assert.deepEqual(order, []);
    end.resolve();
    await Promise.all([first, ...later]);
    assert.deepEqual(order, ["first", "later", "later"]);
  }));

Deno.test("work of an ended run gives up while another gateway moves", () =>
  withMoves(async ({ moves, elsewhere }) => {
    const run = new AbortController();
    const end = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    const moved = elsewhere.alone(() => {
      begun.resolve();
      return end.promise;
    });
    await begun.promise;
    const rejection = assert.rejects(moves.beside(() => Promise.resolve(), run.signal), ENDED);
    await sleep(20);
    run.abort(new Error("ended"));
    assert.ok(await within(rejection, LONG_MS));
    end.resolve();
    await moved;
    assert.equal(await moves.alone(() => Promise.resolve(1)), 1);
    await assert.rejects(moves.alone(() => Promise.resolve(2), run), ENDED);
    await assert.rejects(moves.beside(() => Promise.resolve(2), run.signal), ENDED);
  }));

Deno.test("work alone is ended in time, and other work begins then", () =>
  withMoves(async ({ moves }) => {
    const slow = moves.alone((signal) => abortable(new Promise(() => {}), signal));
    const order: string[] = [];
    const others = [
      assert.rejects(slow, {
        code: "timeout",
        message: "Cannot use files: nothing else uses them meanwhile, and it takes longer than " +
          "0.05 s: do it in parts",
      }),
      moves.beside(() => Promise.resolve(order.push("read"))),
      moves.alone(() => Promise.resolve(order.push("move"))),
    ];
    await Promise.all(others);
    assert.deepEqual(order.sort(), ["move", "read"]);
  }, { aloneMs: 50 }));

Deno.test("runs that wait to move take turns", () =>
  withMoves(async ({ moves }) => {
    const order: string[] = [];
    const move = (run: string) => moves.alone(() => Promise.resolve(order.push(run)), { run });
    await Promise.all(["one", "one", "one", "one", "other"].map(move));
    assert.ok(order.indexOf("other") < 3, order.join());
  }));
