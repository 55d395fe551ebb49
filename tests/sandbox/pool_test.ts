import { deepEqual, equal, match, ok, rejects } from "node:assert/strict";
import { tmpdir } from "node:os";
import type { SandboxError } from "#sandbox";
import { behindWalls, programsAtOnce } from "../../sandbox/process/walls.ts";
import { processesAtOnce } from "../../sandbox/queue.ts";
import { createHost, processesOf } from "./host.ts";

Deno.test("runs past the limit wait, and past the queue are refused as busy", async () => {
  await using host = createHost({ concurrent: 1, queue: 1, pool: 1 });
  const first = await host.sandbox.lease();
  const second = host.sandbox.lease();
  await rejects(host.sandbox.lease(), (error: SandboxError) => {
    equal(error.code, "busy");
    match(error.message, /1 are running and 1 wait/);
    return true;
  });
  deepEqual([host.sandbox.status().running, host.sandbox.status().queued], [1, 1]);
  await first[Symbol.asyncDispose]();
  await (await second)[Symbol.asyncDispose]();
  equal(host.sandbox.status().running, 0);
});

Deno.test("waiting for a place can be cancelled", async () => {
  await using host = createHost({ concurrent: 1 });
  await using _first = await host.sandbox.lease();
  const waiting = host.sandbox.lease({ signal: AbortSignal.timeout(20) });
  await rejects(waiting, (error: SandboxError) => error.code === "cancelled");
  equal(host.sandbox.status().queued, 0);
});

Deno.test("a run that waits for a person leaves its place to another, and takes none back", async () => {
  await using host = createHost({ concurrent: 1, queue: 1, pool: 1 });
  const { sandbox } = host;
  const first = await sandbox.lease();
  const resumptions = [first.pause(), first.pause()];
  const second = await sandbox.lease();
  const third = sandbox.lease();
  deepEqual([sandbox.status().running, sandbox.status().queued], [2, 1]);
  second.pause();
  equal(sandbox.status().queued, 1);
  await second[Symbol.asyncDispose]();
  await using _third = await third;
  const fourth = sandbox.lease();
  for (const resume of resumptions) resume();
  await first[Symbol.asyncDispose]();
  deepEqual([sandbox.status().running, sandbox.status().queued], [1, 1]);
  await _third[Symbol.asyncDispose]();
  await (await fourth)[Symbol.asyncDispose]();
  equal(sandbox.status().running, 0);
});

Deno.test("runs within a run take no place of the queue, and one run half of those of a depth", async () => {
  await using host = createHost({ concurrent: 2, queue: 1, pool: 1 });
  const { sandbox } = host;
  const leaseWithin = (run: string, depth: number, signal?: AbortSignal) =>
    sandbox.lease({ within: { run, depth }, ...(signal ? { signal } : {}) });
  await using first = await leaseWithin("a", 1);
  await using _deeper = await leaseWithin("a", 2);
  await using _other = await leaseWithin("b", 1);
  await rejects(leaseWithin("a", 1, AbortSignal.timeout(20)), { code: "cancelled" });
  const next = leaseWithin("a", 1);
  await using _outer = await sandbox.lease();
  deepEqual([sandbox.status().running, sandbox.status().queued], [1, 0]);
  await first[Symbol.asyncDispose]();
  await (await next)[Symbol.asyncDispose]();
});

Deno.test("a process that the system refuses ends no gateway, and is tried again", async () => {
  const before = new Set(roots());
  await using host = createHost({ pool: 1 });
  const [root = ""] = roots().filter((path) => !before.has(path));
  await until(() => host.sandbox.status().warm === 1);
  await Deno.rename(root, `${root}.away`);
  host.sandbox.refresh();
  await rejects(host.sandbox.lease(), (error: SandboxError) => error.code === "unavailable");
  // The pool tries by itself, in a timer.
  await new Promise((resolve) => setTimeout(resolve, 500));
  equal(host.sandbox.status().warm, 0);
  await Deno.rename(`${root}.away`, root);
  await using _lease = await host.sandbox.lease();
  await until(() => host.sandbox.status().warm === 1);
});

Deno.test("all programs together open no more than half of the gateway's files", () => {
  const limits = {
    timeoutMs: 1,
    cpuSeconds: 1,
    memoryMb: 1,
    outputBytes: 1,
    stdinBytes: 1,
    queue: 0,
    pool: 0,
  };
  const filesOf = (openFiles: number, concurrent: number) =>
    behindWalls({ names: [], inherited: [], prlimit: "prlimit", openFiles }, ["deno"], {
      limits: { ...limits, concurrent },
      folder: "/",
    }).find((word) => word.startsWith("--nofile="));
  equal(filesOf(1_048_576, 16), "--nofile=256");
  equal(filesOf(Infinity, 4), "--nofile=256");
  equal(filesOf(5_120, 4), "--nofile=128");
  equal(filesOf(5_120, 100), "--nofile=64");
  const walls = { names: [], inherited: [], prlimit: "prlimit", openFiles: 5_120 };
  equal(programsAtOnce(walls, 100), 8);
  equal(programsAtOnce(walls, 4), 4);
  for (const openFiles of [5_120, 20_480]) {
    const admitted = programsAtOnce({ ...walls, openFiles }, 100);
    ok(processesAtOnce(admitted) * 64 <= openFiles / 2);
  }
  equal(programsAtOnce({ ...walls, openFiles: 100 }, 4), 1);
  equal(programsAtOnce({ ...walls, openFiles: Infinity }, 100), 100);
});

function roots(): string[] {
  return ["/dev/shm", tmpdir()].flatMap((parent) => {
    try {
      return [...Deno.readDirSync(parent)].map(({ name }) => `${parent}/${name}`);
    } catch {
      // Not on this system.
      return [];
    }
  }).filter((path) => path.includes(`toolscript-${Deno.pid}-`));
}

Deno.test("refresh() replaces warm processes", async () => {
  await using host = createHost({ pool: 1 });
  await until(() => host.sandbox.status().warm === 1);
  const [first] = await processesOf(host);
  host.sandbox.refresh();
  await until(() => host.preloads === 2 && host.sandbox.status().warm === 1);
  ok(!(await processesOf(host)).includes(first ?? 0));
});

Deno.test("refresh() gives a run no process with older modules", async () => {
  let refreshed = 0;
  await using host = createHost({
    pool: 0,
    // Once the answer to the process is on its way.
    onPreload: (preloads) =>
      preloads === 1 && queueMicrotask(() => {
        host.sandbox.refresh();
        refreshed++;
      }),
  });
  await using _lease = await host.sandbox.lease();
  deepEqual([refreshed, host.preloads], [1, 2]);
});

Deno.test("several changes in a row start one process", async () => {
  await using host = createHost({ pool: 1 });
  await until(() => host.sandbox.status().warm === 1);
  for (let change = 0; change < 10; change++) {
    host.sandbox.refresh();
    equal(host.sandbox.status().warm, 0);
    await new Promise((resolve) => setTimeout(resolve, 0));
  }
  await until(() => host.sandbox.status().warm === 1);
  ok(host.preloads < 6);
});

Deno.test("runs one after another find processes that were started meanwhile", async () => {
  await using host = createHost({ pool: 2 });
  for (let turn = 0; turn < 6; turn++) {
    deepEqual((await host.run(`return ${turn}`)).outcome, { kind: "value", value: turn });
  }
  await until(() => host.sandbox.status().warm === 2);
});

Deno.test("one process waits for the first run, two for the next, more where they were missing", async () => {
  await using host = createHost({ pool: 4 });
  const { sandbox } = host;
  await until(() => sandbox.status().warm === 1);
  await new Promise((resolve) => setTimeout(resolve, 200));
  equal(sandbox.status().warm, 1);
  await host.run("return 1");
  await until(() => sandbox.status().warm === 2);
  await Promise.all([1, 2, 3, 4, 5].map(() => host.run("return 1")));
  await until(() => sandbox.status().warm === 4);
  // None of them is needed any more.
  await until(() => sandbox.status().warm === 2);
});

Deno.test("a warm process that dies is replaced", async () => {
  await using host = createHost({ pool: 1 });
  const isWarm = () => host.sandbox.status().warm === 1;
  await until(isWarm);
  const first = await processesOf(host);
  for (const pid of first) Deno.kill(pid, "SIGKILL");
  await until(() => !isWarm());
  await until(isWarm);
  ok((await processesOf(host)).every((pid) => !first.includes(pid)));
  deepEqual((await host.run("return 1")).outcome, { kind: "value", value: 1 });
});

Deno.test("a Deno that cannot start is retried with pauses and reported as unavailable", async () => {
  await using host = createHost({ pool: 1, deno: "/bin/false" });
  await rejects(host.run("return 1"), (error: SandboxError) => error.code === "unavailable");
});

async function until(condition: () => boolean): Promise<void> {
  const deadline = performance.now() + 60_000;
  while (!condition()) {
    if (performance.now() > deadline) throw new Error("It did not happen within 60 s");
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
