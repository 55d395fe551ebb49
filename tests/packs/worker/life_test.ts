/** The life of a pack's process: WRK-01 to WRK-04, crash and restart, change of the file. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { openPacks, until } from "./harness.ts";

const COUNTER = `
let calls = 0;
/** Counts. */
export function count(): { calls: number; pid: number } {
  return { calls: ++calls, pid: Deno.pid };
}
export function die(code: number): never {
  Deno.exit(code);
}
export async function wait(ms: number): Promise<string> {
  await new Promise((resolve) => setTimeout(resolve, ms));
  return "waited";
}
`;
const counter = { "counter/counter_tools.ts": COUNTER };
type Counted = { calls: number; pid: number };

Deno.test("WRK-01 WRK-02 the first call starts the process, later ones use it", async () => {
  await using packs = await openPacks({ project: counter });
  const pack = packs.pack("counter");
  await pack.settle();
  assert.deepEqual(pack.tools().map(({ name }) => name), ["count", "die", "wait"]);
  assert.equal(pack.status().state, "idle");
  const first = await packs.call("counter__count") as Counted;
  assert.equal(pack.status().state, "connected");
  const second = await packs.call("counter__count") as Counted;
  assert.deepEqual([first.calls, second.calls], [1, 2]);
  assert.equal(first.pid, second.pid);
});

Deno.test("WRK-03 WRK-04 an idle process is ended; each call restarts the idle time", async () => {
  await using packs = await openPacks({ project: counter, idleMs: 3_000 });
  const { pid } = await packs.call("counter__count") as Counted;
  for (let n = 0; n < 3; n++) {
    await packs.call("counter__wait", { ms: 1_200 });
    assert.equal(packs.pack("counter").status().state, "connected");
  }
  assert.equal((await packs.call("counter__count") as Counted).pid, pid);
  await until(() => packs.pack("counter").status().state === "idle");
  const after = await packs.call("counter__count") as Counted;
  assert.notEqual(after.pid, pid);
  assert.equal(after.calls, 1);
});

Deno.test("a crash fails the calls in flight, and the next call starts the process again", async () => {
  await using packs = await openPacks({ project: counter });
  const { pid } = await packs.call("counter__count") as Counted;
  const waiting = assert.rejects(packs.call("counter__wait", { ms: 60_000 }), {
    code: "unavailable",
    retryable: true,
    message: /the pack's process is gone: its process ended with 7.*starts it again/,
  });
  await assert.rejects(packs.call("counter__die", { code: 7 }), { code: "unavailable" });
  await waiting;
  const after = await packs.call("counter__count") as Counted;
  assert.notEqual(after.pid, pid);
  await assert.rejects(packs.call("counter__die", { code: 1 }));
  await assert.rejects(packs.call("counter__die", { code: 1 }));
  assert.equal((await packs.call("counter__count") as Counted).calls, 1);
});

Deno.test("a changed file restarts its process; running calls end normally", async () => {
  await using packs = await openPacks({ project: counter });
  const { pid } = await packs.call("counter__count") as Counted;
  const waiting = packs.call("counter__wait", { ms: 1_500 });
  waiting.catch(() => {}); // told where it is awaited
  await packs.write({ "counter/counter_tools.ts": `${COUNTER}\nexport const more = () => 1;\n` });
  const after = await packs.call("counter__count") as Counted;
  assert.equal(after.calls, 1);
  assert.notEqual(after.pid, pid);
  assert.equal(await waiting, "waited");
  await until(() => packs.pack("counter").tools().some(({ name }) => name === "more"));
  assert.equal(await packs.call("counter__more"), 1);
});

Deno.test("a pack is described again once a module that it lacked is there", async () => {
  const text = 'export * from "./one.ts";\n';
  await using packs = await openPacks({ project: { "late/late_tools.ts": text } });
  const pack = packs.pack("late");
  await pack.settle();
  assert.deepEqual(pack.tools(), []);
  await packs.write({ "late/one.ts": "export const more = () => 1;\n" });
  await until(() => pack.tools().length === 1);
  assert.equal(await packs.call("late__more"), 1);
});

Deno.test("a file that changes right after it was read is read again", async () => {
  await using packs = await openPacks({ project: counter });
  await packs.pack("counter").settle();
  const path = join(packs.project, ".onetool/tools/counter/counter_tools.ts");
  const read = Deno.readTextFileSync;
  Deno.readTextFileSync = (file) => {
    const text = read(file);
    if (file === path && text === "") {
      Deno.writeTextFileSync(path, "export const more = () => 1;\n");
    }
    return text;
  };
  try {
    // An editor makes the file empty before it writes.
    Deno.writeTextFileSync(path, "");
    await until(() => packs.pack("counter").tools().some(({ name }) => name === "more"));
  } finally {
    Deno.readTextFileSync = read;
  }
  assert.equal(await packs.call("counter__more"), 1);
});

Deno.test("a pack whose description is cached starts nothing", async () => {
  const cacheDir = await Deno.makeTempDir();
  {
    await using packs = await openPacks({ project: counter, cacheDir });
    await packs.pack("counter").settle();
  }
  await using packs = await openPacks({ project: counter, cacheDir, start: false });
  assert.equal(packs.pack("counter").tools().length, 3);
  assert.equal(packs.pack("counter").status().state, "idle");
  await Deno.remove(cacheDir, { recursive: true });
});

Deno.test("a call ends at its time limit, and with its caller", async () => {
  await using packs = await openPacks({ project: counter, settings: { counter: { timeout: 10 } } });
  const { pid } = await packs.call("counter__count") as Counted;
  await assert.rejects(packs.call("counter__wait", { ms: 11_000 }), {
    code: "timeout",
    message: /no answer within 10 s: raise "packs.counter.timeout"/,
    details: { after_ms: 10_000 },
  });
  const caller = new AbortController();
  const cancelled = assert.rejects(packs.call("counter__wait", { ms: 900 }, caller.signal), {
    code: "cancelled",
  });
  setTimeout(() => caller.abort(), 100);
  await cancelled;
  assert.equal((await packs.call("counter__count") as Counted).pid, pid);
});

Deno.test("calls that go on after they were abandoned make few processes", async () => {
  const lasting = `export const stay = () => new Promise<never>(() => {});
    export const pid = () => Deno.pid;`;
  await using packs = await openPacks({ project: { "last/last_tools.ts": lasting } });
  const [end, pids, ended] = [new AbortController(), new Set<unknown>(), [] as Promise<unknown>[]];
  const stay = (signal: AbortSignal) =>
    ended.push(packs.call("last__stay", {}, signal).catch(() => {}));
  for (let round = 0; round < 5; round++) {
    stay(end.signal);
    const abandoned = new AbortController();
    stay(abandoned.signal);
    // Both calls are with the process that answers this one.
    const pid = await packs.call("last__pid");
    pids.add(pid);
    abandoned.abort();
    const tries = round < 2 ? 200 : 30;
    for (let at = 0; at < tries && await packs.call("last__pid") === pid; at++) await sleep(100);
  }
  end.abort();
  await Promise.all(ended);
  assert.equal(pids.size, 3);
});
