/** Calls of a Python pack that occupy its threads: those of others are answered beside them. */

import assert from "node:assert/strict";
import type { JsonObject } from "#base";
import type { CallOrigin } from "#packs";
import { environmentWithUv } from "../../support/uv.ts";
import { openPacks, type PackHarness, until } from "./harness.ts";

const environment = await environmentWithUv();

/** Threads of one run at one depth. */
const THREADS = 32;
const MORE = 8;

const HELD = `
import threading
from toolscript import tools

OPEN = threading.Event()
waiting = []

def wait():
    waiting.append(1)
    OPEN.wait()
    return "waited"

def wait_within():
    return tools.held.wait()

def echo():
    return "echo"

def ask(depth: int):
    return tools.held.ask(depth=depth - 1) if depth > 0 else "asked"

async def open():
    OPEN.set()

async def count():
    return len(waiting)
`;

interface Stage {
  readonly packs: PackHarness;
  call(tool: string, origin: CallOrigin, args?: JsonObject): Promise<unknown>;
  /** Makes more calls than there are threads for them; resolves once those are taken. */
  flood(tool: string, origin: CallOrigin): Promise<void>;
  /** Number of those that have ended. */
  ended(): number;
  /** Lets them end; their results. */
  open(): Promise<unknown[]>;
}

async function withHeld(work: (stage: Stage) => Promise<void>): Promise<void> {
  await using packs = await openPacks({ project: { "held/held_tools.py": HELD }, environment });
  const calls: Promise<unknown>[] = [];
  let ended = 0;
  let taken = 0;
  const call: Stage["call"] = async (tool, origin, args = {}) =>
    (await packs.registry.call(`held__${tool}`, args, { origin })).value;
  await work({
    packs,
    call,
    ended: () => ended,
    async flood(tool, origin) {
      for (let n = 0; n < THREADS + MORE; n++) {
        const ending = call(tool, origin).finally(() => ended++);
        ending.catch(() => {}); // a test that fails awaits it no more
        calls.push(ending);
      }
      taken += THREADS;
      await until(async () => await packs.call("held__count") as number >= taken);
    },
    async open() {
      await packs.call("held__open");
      return await Promise.all(calls);
    },
  });
}

const ORIGINS: Readonly<Record<string, CallOrigin>> = {
  "another run": { run: "r_c", client: "one" },
  "another client without a run": { client: "two", via: "mcp" },
  "a client without a name": {},
};

Deno.test("calls of some that take all of their threads hold up no others", async (t) => {
  await withHeld(async ({ packs, call, flood, ended, open }) => {
    await flood("wait", { run: "r_a", client: "one" });
    await flood("wait", { run: "r_b", client: "one" });
    await flood("wait", { client: "one", via: "mcp" });
    await flood("wait_within", { run: "r_d", client: "one" });
    for (const [name, origin] of Object.entries(ORIGINS)) {
      await t.step(name, async () => {
        assert.equal(await call("echo", origin), "echo");
        assert.equal(await call("ask", origin, { depth: 3 }), "asked");
      });
    }
    assert.equal(await packs.call("held__count"), 4 * THREADS);
    assert.equal(ended(), 0);
    assert.deepEqual(await open(), Array(4 * (THREADS + MORE)).fill("waited"));
  });
});

Deno.test("a tool of a Python pack that calls its own pack never waits for itself", async () => {
  await withHeld(async ({ call }) => {
    const calls = Array.from(
      { length: THREADS + MORE },
      () => call("ask", { run: "r_a" }, { depth: 4 }),
    );
    assert.deepEqual(await Promise.all(calls), Array(THREADS + MORE).fill("asked"));
  });
});
