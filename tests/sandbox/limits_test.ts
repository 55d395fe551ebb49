import { deepEqual, equal, match, ok } from "node:assert/strict";
import type { Outcome } from "#sandbox";
import { createHost } from "./host.ts";

const LIMITS = { timeoutMs: 60_000, cpuSeconds: 30, memoryMb: 96, outputBytes: 200_000 };

const CASES: readonly { name: string; program: string; kind: Outcome["kind"] }[] = [
  {
    name: "arrays",
    program: "const a = []; while (true) a.push(new Array(1e4).fill(1));",
    kind: "memory_limit",
  },
  { name: "a doubling string", program: "let s = 'x'; while (true) s += s;", kind: "memory_limit" },
  {
    name: "flat strings",
    program: "let s = 'x'; const a = []; while (true) { s += s; a.push(JSON.stringify(s)); }",
    kind: "memory_limit",
  },
  {
    name: "array buffers",
    program: "const a = []; while (true) a.push(new ArrayBuffer(1 << 24));",
    kind: "memory_limit",
  },
  {
    name: "filled typed arrays",
    program: "const a = []; while (true) a.push(new Uint8Array(1 << 22).fill(1));",
    kind: "memory_limit",
  },
  {
    name: "WebAssembly memory",
    program: "const a = []; while (true) a.push(new WebAssembly.Memory({ initial: 256 }));",
    kind: "memory_limit",
  },
  {
    name: "growing WebAssembly memory",
    program:
      "const m = new WebAssembly.Memory({ initial: 1 }); while (true) { m.grow(100); new Uint8Array(m.buffer).fill(1); }",
    kind: "memory_limit",
  },
  {
    name: "blobs",
    program: "const a = []; while (true) a.push(new Blob([new Uint8Array(1 << 20)]));",
    kind: "memory_limit",
  },
  {
    name: "clones",
    program: "const a = []; while (true) a.push(structuredClone(new Uint8Array(1 << 20)));",
    kind: "memory_limit",
  },
  {
    name: "microtasks",
    program: "while (true) queueMicrotask(() => {});",
    kind: "memory_limit",
  },
  {
    name: "a flood on stdout",
    program: "while (true) console.log('flood');",
    kind: "output_limit",
  },
  {
    name: "a flood on stderr",
    program: "while (true) console.error('x'.repeat(1e5));",
    kind: "output_limit",
  },
  {
    name: "a flood without console",
    program:
      "const w = Deno.stdout.writable.getWriter(); while (true) await w.write(new Uint8Array(65536));",
    kind: "output_limit",
  },
  { name: "a long value", program: "return 'x'.repeat(1e6);", kind: "output_limit" },
  {
    name: "a value that shares",
    program: "let b = [1]; for (let i = 0; i < 60; i++) b = [b, b]; return b;",
    kind: "output_limit",
  },
  { name: "endless recursion", program: "const f = (n) => f(n + 1) + 1; f(0);", kind: "thrown" },
  {
    name: "exit in the middle",
    program:
      "setTimeout(() => Deno.exit(0), 5); while (true) await new Promise((r) => setTimeout(r, 1));",
    kind: "nothing",
  },
  { name: "exit with a code", program: "process.exit(7);", kind: "exited" },
  { name: "nothing left to wait for", program: "await new Promise(() => {});", kind: "thrown" },
];

Deno.test("each way of running away ends in its own outcome", async (t) => {
  await using host = createHost({ limits: LIMITS });
  for (const { name, program, kind } of CASES) {
    await t.step(name, async () => {
      const { outcome, stdout, stderr } = await host.run(program);
      equal(outcome.kind, kind, JSON.stringify(outcome));
      ok(stdout.length + stderr.length <= LIMITS.outputBytes);
    });
  }
  await t.step("and the next run works", async () => {
    deepEqual((await host.run("return 1")).outcome, { kind: "value", value: 1 });
  });
});

Deno.test("an endless loop ends at the time limit", async () => {
  await using host = createHost();
  const { outcome } = await host.run("while (true);", { timeoutMs: 300 });
  deepEqual(outcome, { kind: "timeout", afterMs: 300 });
});

Deno.test("an endless loop ends at the processor limit", async () => {
  await using host = createHost({ limits: { cpuSeconds: 1 } });
  const { outcome } = await host.run("while (true);");
  deepEqual(outcome, { kind: "cpu_limit", seconds: 1 });
});

Deno.test("a run's time limit is never above the sandbox's", async () => {
  await using host = createHost({ limits: { timeoutMs: 200 } });
  const { outcome } = await host.run("while (true);", { timeoutMs: 60_000 });
  deepEqual(outcome, { kind: "timeout", afterMs: 200 });
});

Deno.test("pause() stops the clock", async () => {
  await using host = createHost();
  await using lease = await host.sandbox.lease();
  const resume = lease.pause();
  const slow = "await new Promise((r) => setTimeout(r, 500)); return 'done'";
  const { outcome } = await host.run(slow, { lease, timeoutMs: 300 });
  resume();
  deepEqual(outcome, { kind: "value", value: "done" });
});

Deno.test("a program that prints past the limit keeps what it printed before", async () => {
  await using host = createHost({ limits: { outputBytes: 100 } });
  const { outcome, stdout } = await host.run(
    "console.log('a'.repeat(60)); console.log('b'.repeat(60));",
  );
  deepEqual(outcome, { kind: "output_limit", bytes: 100 });
  match(stdout, /^a{60}\nb{39}$/);
});

Deno.test("end() decides the outcome when it comes first", async () => {
  await using host = createHost();
  await using lease = await host.sandbox.lease();
  setTimeout(() => lease.end({ kind: "call_limit", calls: 3 }), 50);
  const { outcome } = await host.run("while (true);", { lease });
  deepEqual(outcome, { kind: "call_limit", calls: 3 });
});

Deno.test("an aborted signal cancels the run", async () => {
  await using host = createHost();
  const { outcome } = await host.run("while (true);", { signal: AbortSignal.timeout(50) });
  deepEqual(outcome, { kind: "cancelled" });
});
