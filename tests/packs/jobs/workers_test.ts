/** Jobs in processes: each ends in time, whenever it computes, and its result is read in pieces. */

import { deepEqual, equal, match, ok, rejects } from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { attempt, isLarge, sleep, within } from "#base";
import { createJobWorkers } from "../../../packs/jobs/workers.ts";
import { ended } from "../../support/processes.ts";
import { atRest } from "../../support/processor.ts";
import { countTurns } from "../../support/turns.ts";

Deno.test({
  name: "a job that never ends is stopped, whether it computes at once or after loading",
  ignore: Deno.build.os !== "linux",
  async fn(t) {
    for (const kind of ["spin", "loadAndSpin", "walk"]) {
      await t.step(kind, async () => {
        const script = new URL("./endless_job.ts", import.meta.url);
        const { report, usedMs } = await atRest(script, kind);
        match(report, /^4, then .*took longer than 0.3 s/);
        ok(usedMs < 500, `${usedMs} ms of processor time in a second of rest`);
      });
    }
  },
});

Deno.test({
  name: "a job that never ends ends where its gateway was killed",
  ignore: Deno.build.os !== "linux",
  async fn(t) {
    const script = fileURLToPath(new URL("./killed_job.ts", import.meta.url));
    for (const kind of ["spin", "loadAndSpin", "walk"]) {
      await t.step(kind, async () => {
        const { stdout } = await new Deno.Command(Deno.execPath(), {
          args: ["run", "-A", "--no-check", script, kind],
          stderr: "inherit",
        }).output();
        const pid = Number(new TextDecoder().decode(stdout));
        ok(pid > 1, String(pid));
        while (isComputing(pid)) await sleep(50);
      });
    }
  },
});

function isComputing(pid: number): boolean {
  const stat = attempt(() => Deno.readTextFileSync(`/proc/${pid}/stat`), "");
  return stat.includes("deno") && !stat.includes(") Z ");
}

Deno.test("a process that reads files compiles no text", async (t) => {
  const module = new URL("./spinning_worker.ts", import.meta.url);
  for (const readsFiles of [true, false]) {
    await t.step(readsFiles ? "one that does" : "one that may do nothing else", async () => {
      await using workers = createJobWorkers({ module, readsFiles, timeoutMs: 60_000, count: 1 });
      const job = { kind: "compile", input: "return 6 * 7" };
      const options = { what: "compile", signal: new AbortController().signal, run: undefined };
      equal(await workers.run<unknown>(job, options), readsFiles ? "refused" : 42);
    });
  }
});

Deno.test("a process that has ended while it rested is not asked", async () => {
  const module = new URL("./spinning_worker.ts", import.meta.url);
  await using workers = createJobWorkers({ module, timeoutMs: 60_000, count: 1 });
  const options = { what: "tell", signal: new AbortController().signal, run: undefined };
  const pid = () => workers.run<number>({ kind: "pid", input: null }, options);
  const first = await pid();
  equal(await pid(), first);
  Deno.kill(first, "SIGKILL");
  await ended([first]);
  await sleep(300);
  // On a busy machine its end may not have been noticed yet.
  const next = await pid().catch((error) => {
    equal(error.code, "internal");
    return pid();
  });
  ok(next !== first);
});

Deno.test("a job that its process gives up first took too long", async () => {
  const module = new URL("./spinning_worker.ts", import.meta.url);
  await using workers = createJobWorkers({ module, timeoutMs: 60_000, advice: "spin less" });
  const options = { what: "spin", signal: new AbortController().signal, run: undefined };
  await rejects(workers.run({ kind: "giveUp", input: null }, options), {
    code: "timeout",
    message: "Cannot spin: it took longer than 60 s: spin less",
  });
  equal(await workers.run({ kind: "loadAndAnswer", input: 3 }, options), 6);
});

Deno.test("jobs of one run leave a process to those of another", async () => {
  const module = new URL("./spinning_worker.ts", import.meta.url);
  await using workers = createJobWorkers({ module, timeoutMs: 60_000 });
  const end = new AbortController();
  const spins = Array.from({ length: 5 }, () => {
    const options = { what: "spin", signal: end.signal, run: "r_a" };
    return workers.run({ kind: "spin", input: null }, options);
  });
  const ends = Promise.allSettled(spins);
  const options = { what: "tell", signal: end.signal, run: "r_b" };
  const pid = workers.run<number>({ kind: "pid", input: null }, options);
  // Every spin before it would take its minute.
  ok(await within(pid, 30_000));
  end.abort();
  const outcomes = await ends;
  ok(outcomes.every(({ status }) => status === "rejected"));
});

Deno.test("a process that sends what is no message is ended, and the next job has another", async () => {
  const module = new URL("./spinning_worker.ts", import.meta.url);
  await using workers = createJobWorkers({ module, timeoutMs: 60_000, count: 1 });
  const options = { what: "print", signal: new AbortController().signal, run: undefined };
  for (const text of ["\0\0\0\x04\0\0\0\0nil!", "a line of text, which is no length\n"]) {
    await rejects(workers.run({ kind: "print", input: text }, options), {
      name: "PackError",
      code: "internal",
    });
    equal(await workers.run({ kind: "loadAndAnswer", input: 2 }, options), 4);
  }
});

function listWorkers() {
  const module = new URL("./spinning_worker.ts", import.meta.url);
  const workers = createJobWorkers({ module, timeoutMs: 60_000 });
  const lists = (count: number, signal = new AbortController().signal) =>
    workers.run<{ lists: unknown[] }>({ kind: "lists", input: count }, {
      what: "list",
      signal,
      run: undefined,
    });
  return { workers, lists };
}

Deno.test("large results are read in pieces, and other work runs meanwhile", async () => {
  const { workers, lists } = listWorkers();
  await using _ = workers;
  const { result, turns } = await countTurns(() =>
    Promise.all(Array.from({ length: 8 }, () => lists(200_000)))
  );
  for (const value of result) {
    ok(isLarge(value));
    equal(value.lists.length, 200_000);
  }
  ok(turns > result.length, `${turns} turns`);
});

Deno.test("a small result is read at once", async () => {
  const { workers, lists } = listWorkers();
  await using _ = workers;
  const value = await lists(2);
  ok(!isLarge(value));
  deepEqual(value, { lists: [[], []] });
});

Deno.test("a large result that waits for others ends with its call", async () => {
  const { workers, lists } = listWorkers();
  await using _ = workers;
  const run = new AbortController();
  const all = Array.from({ length: 8 }, () => lists(200_000, run.signal));
  const ends = Promise.allSettled(all);
  // Any of them may be the first: each process takes jobs as quickly as it can.
  await Promise.any(all);
  run.abort();
  ok((await ends).some(({ status }) => status === "rejected"));
  equal((await lists(200_000)).lists.length, 200_000);
});

Deno.test("a result of too many lists is refused, and the process serves the next job", async () => {
  const { workers, lists } = listWorkers();
  await using _ = workers;
  const message = "Cannot list: the result has 1000002 lists and objects, at most 1000000 are " +
    "given: ask for a part of it";
  await rejects(lists(1_000_000), { name: "PackError", message });
  equal((await lists(2)).lists.length, 2);
});
