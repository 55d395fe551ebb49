/** Cancelled calls in the process of a Python pack. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { createWatcher } from "#packs";
import { openWorker } from "../../../../packs/worker/process/open_worker.ts";
import type { WorkerProcess } from "../../../../packs/worker/process/worker_process.ts";
import { openFolders } from "../../../support/packs.ts";
import { environmentWithUv } from "../../../support/uv.ts";
import { until } from "../harness.ts";

const environment = await environmentWithUv();
const { signal } = new AbortController();

const THREADS = 32;
const HELD = `
import asyncio
import threading
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from toolscript import tools

OPEN = threading.Event()
begun = []

def wait():
    begun.append("wait")
    OPEN.wait()

def mark():
    begun.append("mark")

async def mark_async():
    begun.append("mark")

async def sleep():
    begun.append("sleep")
    await asyncio.sleep(3600)

def sleep_later():
    return sleep()

async def hold():
    """Keeps the event loop until another tool has answered."""
    with ThreadPoolExecutor() as threads:
        threads.submit(copy_context().run, tools.gate.wait).result()

async def open():
    OPEN.set()

async def count(name: str):
    return begun.count(name)
`;

interface CallParts {
  readonly args?: object;
  /** Run of the call. */
  readonly run?: string;
  readonly signal?: AbortSignal;
  readonly onCall?: () => Promise<unknown>;
}

interface Stage {
  readonly worker: WorkerProcess;
  call(tool: string, parts?: CallParts): Promise<unknown>;
  /** Resolves once that many calls of a tool have begun. */
  begun(tool: string, count: number): Promise<void>;
  /** Number of calls without an answer, when all that was sent before is read. */
  unanswered(): Promise<number>;
}

async function withWorker(work: (stage: Stage) => Promise<void>): Promise<void> {
  await using folders = await openFolders({ project: { "held/held_tools.py": HELD } });
  const { project, home } = folders;
  const folder = join(project, ".onetool/tools/held");
  const file = join(folder, "held_tools.py");
  const log = () => {};
  await using watcher = createWatcher({ log });
  const { worker } = await openWorker({
    file: { name: "held", language: "python", file, folder, scope: "project" },
    header: undefined,
    settings: { enabled: true, config: {}, secrets: {}, granted: {}, timeoutMs: 0, idleMs: 0 },
    closedNow: () => Promise.reject(new Error("Only for TypeScript")),
  }, {
    deps: {
      watcher,
      log,
      project,
      home,
      environment,
      deno: Deno.execPath(),
      cacheDir: `${project}/.onetool/cache`,
    },
    signal,
  });
  await using _worker = worker;
  const call: Stage["call"] = (tool, parts = {}) => {
    const { args = {}, run = "r_a", onCall = () => Promise.reject(new Error("No call")) } = parts;
    const answer = worker.call({ tool, arguments: args, lane: `0 ${run}` }, { onCall }, {
      signal: parts.signal ?? signal,
      onLate: () => {},
    });
    answer.catch(() => {}); // a test that fails awaits it no more
    return answer;
  };
  await work({
    worker,
    call,
    begun: (name, count) => until(async () => await call("count", { args: { name } }) === count),
    async unanswered() {
      assert.ok(await worker.answers());
      return worker.busy;
    },
  });
}

for (const tool of ["mark", "mark_async"]) {
  Deno.test(`a call and its cancellation that are read together are answered: ${tool}`, () =>
    withWorker(async ({ call, unanswered }) => {
      const arrival = Promise.withResolvers<void>();
      const gate = Promise.withResolvers<null>();
      const onCall = () => {
        arrival.resolve();
        return gate.promise;
      };
      const held = call("hold", { onCall });
      await arrival.promise;
      const caller = new AbortController();
      const calls = [1, 2, 3].map(() => call(tool, { signal: caller.signal }));
      const rejected = calls.map((each) => assert.rejects(each, { name: "AbortError" }));
      caller.abort();
      gate.resolve(null); // read after the calls and their cancellations
      await Promise.all([held, ...rejected]);
      assert.equal(await unanswered(), 0);
      assert.equal(await call("count", { args: { name: "mark" } }), 0);
      assert.equal(await call(tool), null);
    }));
}

Deno.test("a cancelled call that waits for a thread is answered, and never begins", () =>
  withWorker(async ({ call, begun, unanswered }) => {
    const waiting = Array.from({ length: THREADS }, () => call("wait"));
    await begun("wait", THREADS);
    const caller = new AbortController();
    const late = Array.from({ length: 5 }, () => call("mark", { signal: caller.signal }));
    const kept = call("mark");
    assert.equal(await unanswered(), THREADS + 6);
    caller.abort();
    await Promise.all(late.map((each) => assert.rejects(each, { name: "AbortError" })));
    assert.equal(await unanswered(), THREADS + 1);
    await call("open");
    await Promise.all([...waiting, kept]);
    await begun("mark", 1);
    assert.equal(await unanswered(), 0);
  }));

Deno.test("a cancelled call has its thread, and the place of its run, until it ends", () =>
  withWorker(async ({ call, begun, unanswered }) => {
    const caller = new AbortController();
    const abandoned = Array.from(
      { length: THREADS },
      () => assert.rejects(call("wait", { signal: caller.signal }), { name: "AbortError" }),
    );
    await begun("wait", THREADS);
    const next = Array.from({ length: 5 }, () => call("mark"));
    caller.abort();
    await Promise.all(abandoned);
    const other = call("mark", { run: "r_b" });
    await begun("mark", 1);
    await other;
    assert.equal(await unanswered(), THREADS + 5);
    await call("open");
    await Promise.all(next);
    await begun("mark", 6);
  }));

for (const tool of ["sleep", "sleep_later"]) {
  Deno.test(`a cancelled call whose thread has ended is answered: ${tool}`, () =>
    withWorker(async ({ call, begun, unanswered }) => {
      const caller = new AbortController();
      const calls = [1, 2, 3].map(() => call(tool, { signal: caller.signal }));
      await begun("sleep", 3);
      caller.abort();
      await Promise.all(calls.map((each) => assert.rejects(each, { name: "AbortError" })));
      assert.equal(await unanswered(), 0);
    }));
}
