/** No program fills the disk of the folder that its process has. */

import assert from "node:assert/strict";
import { attempt } from "#base";
import { Budget } from "../../sandbox/process/budget.ts";
import { openGateway, type TestGateway } from "../support/gateway.ts";

const SIZE = 100_000;

/** Imports what `specifier` makes of a number, and ends with a call that tells of it. */
const fill = (specifier: string, count: number, attributes = "") =>
  `import { tools } from "toolscript";
const base = Deno.env.get("TOOLSCRIPT_GATEWAY_URL") ?? "";
const text = "//" + "x".repeat(${SIZE}) + "\\n";
const AsyncFunction = Reflect.get(async () => {}, "con" + "structor");
const load = AsyncFunction("u", "return await import(u${attributes})");
for (let n = 0; n < ${count}; n++) {
  try { await load(${specifier}) } catch { }
}
await tools.ot.version({});
await new Promise((done) => setTimeout(done, 60_000));`;

async function sizeOf(path: string): Promise<number> {
  // The folder of a process that has ended is removed meanwhile.
  const { size, isDirectory } = await attempt(() => Deno.lstat(path), {
    size: 0,
    isDirectory: false,
  });
  if (!isDirectory) return size;
  const entries = await attempt(() => Array.fromAsync(Deno.readDir(path)), []);
  const sizes = await Promise.all(entries.map(({ name }) => sizeOf(`${path}/${name}`)));
  return sizes.reduce((sum, each) => sum + each, 0);
}

/** Bytes in the folders of this process's sandboxes. */
async function sizeOfFolders(): Promise<number> {
  const parent = "/dev/shm";
  const names = (await Array.fromAsync(Deno.readDir(parent))).map(({ name }) => name);
  const own = names.filter((name) => name.startsWith(`toolscript-${Deno.pid}-`));
  const sizes = await Promise.all(own.map((name) => sizeOf(`${parent}/${name}`)));
  return sizes.reduce((sum, each) => sum + each, 0);
}

/** Bytes of all modules of a run, and of what else is in its folder. */
const PROMISE = 34 * 1_048_576;

/** Watches the folders; the returned function ends that, and gives the most bytes in them. */
function watchSizes(): () => Promise<number> {
  let [isEnded, most] = [false, 0];
  const watched = (async () => {
    while (!isEnded) {
      most = Math.max(most, await sizeOfFolders());
      await new Promise((done) => setTimeout(done, 50));
    }
  })();
  return async () => {
    isEnded = true;
    await watched;
    return most;
  };
}

/** Runs a script until its call, and returns the bytes in the folders then; undefined where it ends. */
async function sizeAtCall(gateway: TestGateway, script: string): Promise<number | undefined> {
  for await (const event of gateway.stream(script)) {
    if (event.type === "call") return await sizeOfFolders();
    if (event.type === "result") assert.match(JSON.stringify(event), /more modules than a program/);
  }
  return undefined;
}

Deno.test({
  name: "modules that a program makes up take no room of the disk",
  ignore: Deno.build.os !== "linux",
  async fn(t) {
    const rows = {
      "data: TypeScript": "`data:application/typescript,${text}export const a: number = ${n}`",
      "data: JavaScript": "`data:application/javascript,${text}export const a = ${n}`",
      "data: JSX": "`data:text/jsx,${text}export const a = ${n}`",
      "blob: TypeScript":
        'URL.createObjectURL(new Blob([text, `export const a: number = ${n}`], { type: "application/typescript" }))',
      "a page of the gateway": "`${new URL(base).origin}/health?${n}`",
      "a missing path of the run": "`${base}/none?${n}`",
      "a path above": "`${base}/program/../../../health?${n}`",
    };
    await using gateway = await openGateway({ sandbox: { pool: 1 } });
    const empty = await sizeAtCall(gateway, fill("n", 0)) ?? 0;
    for (const [name, specifier] of Object.entries(rows)) {
      await t.step(name, async () => {
        const size = await sizeAtCall(gateway, fill(specifier, 30)) ?? Infinity;
        assert.ok(size - empty < SIZE, `${size - empty}`);
      });
    }
  },
});

Deno.test("a program that loads modules again and again is ended", async (t) => {
  const description = "x".repeat(10_000);
  const snippets = [...Array(20).keys()].map((n) => [`s${n}`, { description, body: "1" }]);
  const rows = {
    "its own": "`${base}/program/script.ts?${n}`",
    "the tools": "`${base}/runtime/tools.ts?_t=${n}`",
    "a long address": "`${base}/program/script.ts?${text.slice(0, 60_000)}${n}`",
    "a part of it that is not sent": "`${base}/program/script.ts?${n}#${'y'.repeat(65_000)}`",
    "characters that take two bytes": "`${base}/program/script.ts?${n}#${'\\\\'.repeat(65_000)}`",
    "none that is there": "`${base}/program/no${n}.ts#${'y'.repeat(65_000)}`",
    "none of the tools": "`${base}/runtime/no${n}.ts#${'y'.repeat(65_000)}`",
    "long texts of three bytes": "`${base}/program/script.ts?${n}`",
  };
  await using gateway = await openGateway({ snippets: Object.fromEntries(snippets) });
  for (const [name, specifier] of Object.entries(rows)) {
    await t.step(name, async () => {
      // No JSON: each fails as soon as it was loaded.
      const script = fill(specifier, 20_000, ", { with: { type: 'json' } }");
      const rest = (name.includes("three") ? "€" : "x").repeat(/part|two/.test(name) ? 1 : 900_000);
      const sizes = watchSizes();
      const reply = await gateway.run(`${script}\n//${rest}`);
      assert.match(reply.text, /It loaded more modules than a program has/);
      const most = await sizes();
      assert.ok(most < PROMISE, `${most} bytes`);
    });
  }
});

Deno.test("modules that are loaded once count with their own addresses", () => {
  const budget = new Budget(() => {});
  const load = (address: string) => budget.reserveModule(100, `http://host/r/x/program/${address}`);
  assert.ok([...Array(3_000).keys()].every((n) => load(`${n}.ts`)));
  assert.ok(![...Array(300).keys()].every(() => load("0.ts")));
});

Deno.test("no address but those of the run's modules can be imported", async (t) => {
  const rows = {
    "a page of the gateway": "`${origin}/health`",
    "with a user": "origin.replace('//', '//u@') + '/health'",
    "with a user and a password": "origin.replace('//', '//u:p@') + '/health'",
    "with an empty user": "origin.replace('//', '//@') + '/health'",
    "in capitals": "origin.replace('http', 'HTTP') + '/health'",
    "without slashes": "origin.replace('//', '') + '/health'",
    "with backslashes": "origin.replace('//', '\\\\\\\\') + '/health'",
    "by another name": "origin.replace('127.0.0.1', '127.1') + '/health'",
    "over TLS": "origin.replace('http:', 'https:') + '/health'",
    "a module of the run with a user": "base.replace('//', '//u@') + '/runtime/tools.ts?1'",
  };
  await using gateway = await openGateway();
  for (const [name, specifier] of Object.entries(rows)) {
    await t.step(name, async () => {
      const script = `import { tools } from "toolscript";
const base = Deno.env.get("TOOLSCRIPT_GATEWAY_URL") ?? "";
const { origin } = new URL(base);
const AsyncFunction = Reflect.get(async () => {}, "con" + "structor");
const load = AsyncFunction("u", "return await import(u, { with: { type: 'json' } })");
export default await load(${specifier}).then(() => "loaded", (error: Error) => error.message);`;
      const reply = await gateway.run(script);
      assert.match(String(reply.value), /null entry|not allowed|Unsupported|Relative/, reply.text);
    });
  }
});
