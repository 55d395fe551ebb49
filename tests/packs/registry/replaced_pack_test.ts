/** A call whose pack is replaced before it is made. */

import assert from "node:assert/strict";
import {
  createLocalPack,
  createPolicy,
  createRegistry,
  type Pack,
  PackError,
  type Policy,
} from "#packs";

const OPEN = createPolicy({});
const ASKING = createPolicy({ ask: ["shop.get"] });

interface Made {
  readonly description?: string;
  readonly more?: Partial<Pack>;
  readonly work?: () => Promise<void>;
}

/** Makes packs of one name, each of which answers with its own letter. */
function pack(letter: string, { description = "", more, work }: Made = {}): Pack {
  const spec = {
    name: "get",
    description,
    inputSchema: { type: "object" },
    effect: "read",
  } as const;
  const call = async () => {
    await work?.();
    return { value: letter };
  };
  return { ...createLocalPack("shop", [{ spec, call }]), ...more };
}

function open(first: Pack, policy = OPEN) {
  return createRegistry([first], { log: () => {}, policy, graceMs: 10 });
}

/** Calls, replaces the pack once it was decided about the call, and returns the answer or the code of
 * the error. */
async function answer(first: Pack, next: readonly Pack[], policy = OPEN): Promise<unknown> {
  const decideCall: Policy["decideCall"] = async (entry, call) => {
    const decision = await OPEN.decideCall(entry, call);
    await registry.replace(next, policy);
    return decision;
  };
  await using registry = open(first, { ...OPEN, decideCall });
  return await outcome(registry.call("shop__get", {}, {}));
}

function outcome(call: Promise<{ readonly value: unknown }>): Promise<unknown> {
  return call.then(({ value }) => value, (error) => {
    assert.ok(error instanceof PackError, String(error));
    return error.code;
  });
}

Deno.test("a call that waits while its pack is replaced goes to the new one", async () => {
  assert.equal(await answer(pack("a"), [pack("b")]), "b");
  await using registry = open(pack("a"));
  const call = registry.call("shop__get", {}, {});
  await registry.replace([pack("b")], OPEN);
  assert.equal(await outcome(call), "b");
});

Deno.test("it goes to the last of several", async () => {
  const letters = ["c", "d", "e"];
  const policy: Policy = {
    ...OPEN,
    decideCall: async (entry, call) => {
      const letter = letters.shift();
      if (letter !== undefined) await registry.replace([pack(letter)], policy);
      return await OPEN.decideCall(entry, call);
    },
  };
  await using registry = open(pack("a"), policy);
  assert.equal(await outcome(registry.call("shop__get", {}, {})), "e");
});

Deno.test("it is asked about once", async () => {
  await using registry = open(pack("a"), ASKING);
  let questions = 0;
  const ask = async () => {
    questions++;
    await registry.replace([pack("b")], ASKING);
    return "allowed" as const;
  };
  assert.deepEqual([await outcome(registry.call("shop__get", {}, { ask })), questions], ["b", 1]);
});

Deno.test("it goes to no pack for which it was not decided", async (t) => {
  const worker = { source: "worker" } as const;
  const cases: Record<string, () => Promise<unknown>> = {
    "the policy blocks it": () =>
      answer(pack("a"), [pack("b")], createPolicy({ blocked: ["shop"] })),
    "the policy asks about it": () => answer(pack("a"), [pack("b")], ASKING),
    "the tool is another": () => answer(pack("a"), [pack("b", { description: "Other" })]),
    "its text is foreign": () => answer(pack("a"), [pack("b", { more: { external: true } })]),
    "the pack has a process": () =>
      answer(pack("a", { more: worker }), [pack("b", { more: worker })]),
    "the pack is of another kind": () => answer(pack("a"), [pack("b", { more: worker })]),
    "the pack is gone": () => answer(pack("a"), []),
  };
  for (const [name, run] of Object.entries(cases)) {
    await t.step(name, async () => assert.equal(await run(), "unavailable"));
  }
});

Deno.test("a call that has begun is not made again", async () => {
  const begun = Promise.withResolvers<void>();
  const going = Promise.withResolvers<void>();
  let calls = 0;
  const work = () => {
    calls++;
    begun.resolve();
    return going.promise;
  };
  await using registry = open(pack("a", { work }));
  const call = registry.call("shop__get", {}, {});
  await begun.promise;
  await registry.replace([pack("b")], OPEN);
  assert.equal(await outcome(registry.call("shop__get", {}, {})), "b");
  going.resolve();
  assert.deepEqual([await outcome(call), calls], ["a", 1]);
});

Deno.test("a call that ends with its registry is unavailable", async () => {
  const registry = open(pack("a"));
  const call = registry.call("shop__get", {}, {});
  await registry[Symbol.asyncDispose]();
  assert.equal(await outcome(call), "unavailable");
});

Deno.test("a repetition of a call goes to the new pack", async () => {
  let failures = 0;
  const work = async () => {
    failures++;
    await registry.replace([pack("b")], OPEN);
    throw new PackError("unavailable", "not now", { retryable: true });
  };
  await using registry = open(pack("a", { work }));
  const call = registry.call("shop__get", {}, { retry: 1 });
  assert.deepEqual([await outcome(call), failures], ["b", 1]);
});
