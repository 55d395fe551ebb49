/** Calls of tools out of the sandbox: over the process's own pipes where those are free. */

import { deepEqual, equal, match } from "node:assert/strict";
import type { SandboxCall } from "#sandbox";
import { createHost, type Host } from "./host.ts";

const overHttp = ({ requests }: Host) => requests.filter((line) => line.includes("/tools/")).length;

Deno.test("calls need no connection, in a row and at once, whatever they carry", async () => {
  await using host = createHost();
  const texts = ["", "plain", "two\nlines\u2028", 'quo"te', "\0", "ü€😀".repeat(20_000)];
  const { outcome } = await host.run(`
    const texts = ${JSON.stringify(texts)};
    const { echo } = toolscript.tools.test;
    const inARow = [];
    for (const text of texts) inARow.push((await echo({ text })).text);
    const atOnce = await Promise.all(texts.map((text) => echo({ text })));
    return [inARow, atOnce.map(({ text }) => text)];
  `);
  deepEqual(outcome, { kind: "value", value: [texts, texts] });
  equal(overHttp(host), 0);
});

Deno.test("a reply of several megabytes comes whole, beside small ones", async () => {
  await using host = createHost();
  const text = "0123456789".repeat(400_000);
  const onCall = ({ body }: SandboxCall) =>
    Promise.resolve({ status: 200, body: JSON.stringify({ result: body === "0" ? text : body }) });
  const program = `
    const { echo } = toolscript.tools.test;
    const all = await Promise.all(Array.from({ length: 30 }, (_, n) => echo(n)));
    return [all[0].length, all.slice(1).join()];
  `;
  const rest = Array.from({ length: 29 }, (_, n) => n + 1).join();
  const { outcome } = await host.run(program, { onCall });
  deepEqual(outcome, { kind: "value", value: [text.length, rest] });
});

Deno.test("a call larger than a word goes over a connection", async () => {
  await using host = createHost();
  const { outcome } = await host.run(`
    const text = "x".repeat(5_000_000);
    return (await toolscript.tools.test.echo({ text })).text.length;
  `);
  deepEqual(outcome, { kind: "value", value: 5_000_000 });
  equal(overHttp(host), 1);
});

Deno.test("a value larger than a word goes over a connection, too", async () => {
  await using host = createHost({ limits: { outputBytes: 20_000_000 } });
  const { outcome } = await host.run("return 'x'.repeat(5_000_000)");
  deepEqual(outcome, { kind: "value", value: "x".repeat(5_000_000) });
  equal(host.requests.filter((line) => line.endsWith("/value")).length, 1);
});

Deno.test("a program reads its input beside its calls", async () => {
  await using host = createHost();
  const program = `
    const call = toolscript.tools.test.echo("called");
    const chunk = new Uint8Array(10);
    const count = Deno.stdin.readSync(chunk);
    return [new TextDecoder().decode(chunk.subarray(0, count)), await call];
  `;
  const stdin = () => Promise.resolve(new TextEncoder().encode("input"));
  const { outcome } = await host.run(program, { stdin });
  deepEqual(outcome, { kind: "value", value: ["input", "called"] });
  equal(overHttp(host), 1);
});

Deno.test("input that is awaited comes beside the answers to calls", async () => {
  await using host = createHost();
  const input = "0123456789".repeat(60_000);
  const program = `
    const calls = Promise.all([1, 2, 3].map((n) => toolscript.tools.test.echo(n)));
    let size = 0;
    for await (const chunk of Deno.stdin.readable) size += chunk.length;
    return [size, await calls, await toolscript.tools.test.echo("later")];
  `;
  const stdin = () => Promise.resolve(new TextEncoder().encode(input));
  const { outcome } = await host.run(program, { stdin });
  deepEqual(outcome, { kind: "value", value: [input.length, [1, 2, 3], "later"] });
  equal(overHttp(host), 0);
});

Deno.test("readSync under another name reports its obstacle, and works afterwards", async () => {
  await using host = createHost();
  const program = `
    const read = Deno.stdin["read" + "Sync"];
    const chunk = new Uint8Array(10);
    const call = toolscript.tools.test.echo("called");
    let refused;
    try { read(chunk); } catch (error) { refused = error.name; }
    return [refused, await call, read(chunk)];
  `;
  const stdin = () => Promise.resolve(new TextEncoder().encode("input"));
  const { outcome } = await host.run(program, { stdin });
  deepEqual(outcome, { kind: "value", value: ["Busy", "called", 5] });
});

Deno.test("a program that does not read its replies is ended", async () => {
  await using host = createHost();
  const body = JSON.stringify({ result: "x".repeat(8 * 2 ** 20) });
  const program = `
    for (let n = 0; n < 50; n++) void toolscript.tools.test.echo(n);
    await null;
    for (;;);
  `;
  const onCall = () => Promise.resolve({ status: 200, body });
  const { outcome } = await host.run(program, { onCall });
  equal(outcome.kind, "crashed");
  match(JSON.stringify(outcome), /called tools for more than it reads: await the calls/);
});

Deno.test("a call that is not awaited does not delay the end of a program", async () => {
  await using host = createHost();
  const onCall = () => new Promise<never>(() => {});
  const { outcome } = await host.run("void toolscript.tools.test.echo(1); return 2", { onCall });
  deepEqual(outcome, { kind: "value", value: 2 });
});

Deno.test("text on stderr arrives, also right before the end", async () => {
  await using host = createHost();
  for (
    const say of [
      "console.error('late')",
      "Deno.stderr.writeSync(late)",
      "process.stderr.write('late')",
    ]
  ) {
    const program = `const late = new TextEncoder().encode("late");\n${say};\nreturn 1;`;
    const { outcome, stderr } = await host.run(program);
    deepEqual(outcome, { kind: "value", value: 1 });
    equal(stderr.trim(), "late", say);
  }
});

Deno.test("a traced call tells its place, whatever the program does to its stack", async (t) => {
  const echo = "await toolscript.tools.test.echo(1);";
  const frames = '[{ getFileName: () => "x", getLineNumber: () => 99, getColumnNumber: () => 1 }]';
  const rows: readonly (readonly [name: string, program: string, line: number | undefined])[] = [
    ["a plain call", `\n${echo}`, 3],
    ["after a pause", `await 0;\nawait 0;\n${echo}`, 4],
    ["a hook for stacks", `Error.prepareStackTrace = () => ${frames};\n${echo}`, 3],
    [
      "another Error with frames of its own",
      "let kept;\nError.prepareStackTrace = (_, sites) => { kept = sites; };\nnew Error().stack;\n" +
      `globalThis.Error = class { static prepareStackTrace() { return kept; } };\n${echo}`,
      undefined,
    ],
    [
      "other methods of frames",
      "Error.prepareStackTrace = (_, [site]) => {\n" +
      "  for (let at = site; at; at = Object.getPrototypeOf(at))\n" +
      "    try { at.getLineNumber = () => 99; } catch {}\n};\n" +
      `new Error().stack;\n${echo}`,
      7,
    ],
    ["other prototypes", `Object.prototype.get = () => 99;\n${echo}`, 3],
    [
      "a name that looks like a frame",
      `await ({ async "x (http://a/main.js:9:9)\\n"() {\n${echo} } })["x (http://a/main.js:9:9)\\n"]();`,
      3,
    ],
    ["no stack", `Error.stackTraceLimit = 0;\n${echo}`, undefined],
    ["a frozen Error", `Object.freeze(Error);\n${echo}`, undefined],
    ["no line of its own", "await Promise.resolve(1).then(toolscript.tools.test.echo);", undefined],
  ];
  for (const [name, program, line] of rows) {
    await t.step(name, async () => {
      await using host = createHost();
      for (const traced of [true, false]) {
        const calls: SandboxCall[] = [];
        const onCall = (call: SandboxCall) => {
          calls.push(call);
          return Promise.resolve({ status: 200, body: '{"result":1}' });
        };
        const { outcome } = await host.run(`${program}\nreturn 2;`, { traced, onCall });
        deepEqual(outcome, { kind: "value", value: 2 });
        deepEqual(calls.map(({ from }) => from?.line), [traced ? line : undefined]);
      }
    });
  }
});
