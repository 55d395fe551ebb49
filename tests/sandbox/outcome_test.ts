/** Value, output and errors of a run, as the gateway receives them. */

import { deepEqual, equal, match, ok, rejects } from "node:assert/strict";
import { createHost } from "./host.ts";

Deno.test("a program that awaits a promise that never settles gets a message with the way out", async () => {
  await using host = createHost();
  const { outcome } = await host.run("await new Promise(() => {})");
  const message = outcome.kind === "thrown" ? outcome.message : "";
  match(message, /^The program never finished: .+: check for a missing resolve or callback$/);
});

Deno.test("TSX-09 promises in the value are settled, however deep", async () => {
  await using host = createHost();
  const { outcome } = await host.run(
    "return { a: Promise.resolve([Promise.resolve(1)]), b: new Map([['c', Promise.resolve(2)]]) }",
  );
  deepEqual(outcome, { kind: "value", value: { a: [1], b: { c: 2 } } });
});

Deno.test("TSX-21 the value travels apart from the output", async () => {
  await using host = createHost();
  const { outcome, stdout } = await host.run("console.log('{\"a\":2}'); return { a: 1 }");
  deepEqual(outcome, { kind: "value", value: { a: 1 } });
  equal(stdout, '{"a":2}\n');
});

Deno.test("TSX-21 no value and an explicit undefined are told apart", async () => {
  await using host = createHost();
  deepEqual((await host.run("")).outcome, { kind: "nothing", explicit: false });
  deepEqual((await host.run("return undefined")).outcome, { kind: "nothing", explicit: true });
  deepEqual((await host.run("return null")).outcome, { kind: "value", value: null });
});

Deno.test("TSX-22 TSX-23 output arrives live, whole and on its own stream", async () => {
  await using host = createHost();
  const seen = { stdout: "", stderr: "" };
  let beforeTwo = "";
  const { outcome } = await host.run(
    "console.log('one'); await new Promise((r) => setTimeout(r, 100)); console.error('two');" +
      "process.stdout.write('\\0three\\0'); return 4",
    {
      onOutput(stream, data) {
        if (stream === "stderr") beforeTwo ||= seen.stdout;
        seen[stream] += new TextDecoder().decode(data);
      },
    },
  );
  equal(outcome.kind, "value");
  match(beforeTwo, /^one\n/);
  deepEqual(seen, { stdout: "one\n\0three\0", stderr: "two\n" });
});

Deno.test("TSX-24 a thrown error keeps its class, message and the program's frames", async () => {
  await using host = createHost();
  const { outcome } = await host.run({
    "main.ts": "export default async () => 1;",
    "main.js":
      "import { fail } from './lib/fail.ts';\nexport default async () => {\n  fail(1);\n};",
    "lib/fail.ts":
      "class Odd extends Error {}\nexport function fail(n) {\n  throw new Odd(`no ${n}`);\n}",
  });
  deepEqual(outcome, {
    kind: "thrown",
    name: "Odd",
    message: "no 1",
    frames: [
      { file: "lib/fail.ts", line: 3, column: 9, name: "fail" },
      { file: "main.js", line: 3, column: 3, name: "default" },
    ],
  });
});

Deno.test("TSX-24 a program that is a function has frames as exact", async (t) => {
  await using host = createHost();
  // A body begins on the second line of what is handed over.
  const rows: readonly (readonly [body: string, frames: readonly unknown[]])[] = [
    ["const f = () => { throw new Error('x'); };\n  f();", [
      { file: "main.js", line: 2, column: 25, name: "f" },
      { file: "main.js", line: 3, column: 3 },
    ]],
    ["await 1;\nclass A { static async m() { await 1; null.x; } }\nawait A.m();", [
      { file: "main.js", line: 3, column: 44, name: "A.m" },
      { file: "main.js", line: 4, column: 1 },
    ]],
    ["  eval('throw new Error()')", [{ file: "main.js", line: 2, column: 3 }]],
    ["return 1;\n/(/;", [{ file: "main.js", line: 3, column: 1 }]],
  ];
  for (const [body, frames] of rows) {
    await t.step(body, async () => {
      const { outcome } = await host.run(body);
      deepEqual(outcome.kind === "thrown" && outcome.frames, frames);
    });
  }
});

Deno.test("TSX-24 a tool's error keeps its fields", async () => {
  await using host = createHost();
  const { outcome } = await host.run(
    "const { ToolError } = await import('toolscript');" +
      "throw new ToolError({ code: 'unavailable', tool: 'a.b', retryable: true, details: { x: 1 } }, 'No');",
    { form: "module" },
  );
  const tool = { code: "unavailable", tool: "a.b", retryable: true, details: { x: 1 } };
  deepEqual(outcome.kind === "thrown" && outcome.tool, tool);
});

Deno.test("TSX-27 an unhandled rejection is reported as thrown", async () => {
  await using host = createHost();
  const wait = "await new Promise((r) => setTimeout(r, 5000));";
  for (
    const program of [
      `Promise.reject(new Error('lost')); ${wait}`,
      `setTimeout(() => { throw new Error('lost'); }, 1); ${wait}`,
      `queueMicrotask(() => { throw new Error('lost'); }); ${wait}`,
      `reportError(new Error('lost')); ${wait}`,
    ]
  ) {
    const { outcome } = await host.run(program);
    equal(outcome.kind === "thrown" && outcome.message, "lost", program);
  }
});

Deno.test("no output of a program leaves the sandbox before the type check passes", async (t) => {
  await using host = createHost({ limits: { outputBytes: 1_000 } });
  const noise = "console.log('out'); console.error('err');";
  const programs: Record<string, [string | Record<string, string>, string]> = {
    "a value": [`${noise} return 1;`, "value"],
    nothing: [noise, "nothing"],
    "an error": [`${noise} throw new Error("no");`, "thrown"],
    "an exit": [`${noise} Deno.exit(3);`, "exited"],
    "too much": [`${noise} console.log("x".repeat(2_000)); return 1;`, "output_limit"],
    modules: [{
      "main.js": `import './side.js'; ${noise} export default async () => 1;`,
      "side.js": "console.log('side');",
    }, "value"],
    input: [`${noise} return Deno.stdin.readSync(new Uint8Array(9));`, "value"],
  };
  for (const [name, [program, kind]] of Object.entries(programs)) {
    await t.step(name, async () => {
      const seen: string[] = [];
      const onOutput = (stream: string) => seen.push(stream);
      const stdin = () => Promise.resolve(new Uint8Array(seen.push("input")));
      const refused = new Error("type errors");
      await using wrong = await host.sandbox.lease();
      const failing = new Promise<void>((_, no) => setTimeout(() => no(refused), 150));
      await rejects(host.run(program, { lease: wrong, onOutput, stdin, ready: failing }), refused);
      equal(seen.join(), "");
      await using right = await host.sandbox.lease();
      const ready = new Promise<void>((yes) => setTimeout(yes, 150));
      const before = ready.then(() => seen.length);
      const { outcome } = await host.run(program, { lease: right, onOutput, stdin, ready });
      deepEqual([outcome.kind, await before], [kind, 0]);
      ok(seen.includes("stdout"), seen.join());
    });
  }
});
