/** What a program can load as modules, and what its modules lead the engine to. */

import assert from "node:assert/strict";
import { watchSizes } from "../support/folder_sizes.ts";
import { createHost } from "./host.ts";

const SIZE = 100_000;

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
  await using host = createHost();
  for (const [name, specifier] of Object.entries(rows)) {
    await t.step(name, async () => {
      const { outcome } = await host.run(`
const base = Deno.env.get("TOOLSCRIPT_GATEWAY_URL") ?? "";
const { origin } = new URL(base);
const load = import(${specifier}, { with: { type: "json" } });
return await load.then(() => "loaded", (error) => error.message);`);
      assert.ok(outcome.kind === "value", JSON.stringify(outcome));
      assert.match(String(outcome.value), /null entry|not allowed|Unsupported|Relative/);
    });
  }
});

Deno.test("modules that a program makes up take no room of the disk", async (t) => {
  const rows = {
    "data: TypeScript": "`data:application/typescript,${text}export const a: number = ${n}`",
    "data: JavaScript": "`data:application/javascript,${text}export const a = ${n}`",
    "data: JSX": "`data:text/jsx,${text}export const a = ${n}`",
    "blob: TypeScript":
      'URL.createObjectURL(new Blob([text, `export const a: number = ${n}`], { type: "application/typescript" }))',
    "a missing path of the run": "`${base}/none?${n}`",
  };
  await using host = createHost();
  const program = (specifier: string, count: number) => `
const base = Deno.env.get("TOOLSCRIPT_GATEWAY_URL") ?? "";
const text = "//" + "x".repeat(${SIZE}) + "\\n";
for (let n = 0; n < ${count}; n++) {
  try { await import(${specifier}) } catch { }
}
await new Promise((done) => setTimeout(done, 300));`;
  async function sizeOf(specifier: string, count: number): Promise<number> {
    const most = watchSizes();
    await host.run(program(specifier, count));
    return await most();
  }
  const empty = await sizeOf("''", 0);
  for (const [name, specifier] of Object.entries(rows)) {
    await t.step(name, async () => {
      const size = await sizeOf(specifier, 30);
      assert.ok(size - empty < SIZE, `${size - empty}`);
    });
  }
});

Deno.test("no comment of a module leads the engine to a file", async (t) => {
  const folder = await Deno.makeTempDir();
  const secret = `canary-${crypto.randomUUID()}`;
  const sources = [`file:///${secret}.txt`];
  const mappings = "AAAA" + ";AACA".repeat(9);
  const map = JSON.stringify({ version: 3, sources, names: [], mappings });
  await Deno.writeTextFile(`${folder}/a.map`, map);
  const addresses = {
    "inline": `data:application/json;base64,${btoa(map)}`,
    "of a file": `file://${folder}/a.map`,
  };
  const comments = {
    "the last line": (address: string) => `\n//# sourceMappingURL=${address}`,
    "an old form": (address: string) => `\n//@ sourceMappingURL=${address}\n`,
    "a separator of lines": (address: string) => `\u2028//# sourceMappingURL=${address}\u2028`,
    "in a function": (address: string) =>
      `\nexport function late() {\n//# sourceMappingURL=${address}\nreturn new Error("x"); }`,
    "at the end of code": (address: string) => `;//#\tsourceMappingURL=${address} \n/* end */`,
  };
  await using host = createHost();
  try {
    for (const [name, comment] of Object.entries(comments)) {
      for (const [kind, address] of Object.entries(addresses)) {
        await t.step(`${name}, ${kind}`, async () => {
          const own =
            `export const make = () => typeof late === "function" ? late() : new Error("x");`;
          const { outcome } = await host.run({
            "main.js": 'import { make } from "./a.js";\nexport default () => make().stack;',
            "a.js": own + comment(address),
          });
          assert.ok(outcome.kind === "value", JSON.stringify(outcome));
          assert.match(String(outcome.value), /^Error: x\n/);
          assert.ok(!String(outcome.value).includes(secret), String(outcome.value));
        });
      }
    }
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("no text is run as code", async (t) => {
  const rows = [
    "eval('1')",
    "(0, eval)('1')",
    "Reflect.get(globalThis, ['ev', 'al'].join(''))('1')",
    "Function('return 1')()",
    "new Function('return 1')()",
    "(() => {}).constructor('return 1')()",
    "(async () => {}).constructor('return 1')()",
    "(function* () {}).constructor('return 1')().next()",
    "(async function* () {}).constructor('return 1')().next()",
    "Reflect.construct(Object.constructor, ['return 1'])()",
    "new (class extends Function {})('return 1')()",
    "Object.getPrototypeOf((async () => {}).constructor)('return 1')()",
    "setTimeout('1', 1)",
    "setInterval('1', 1)",
    "[1].map(eval)",
  ];
  await using host = createHost();
  for (const row of rows) {
    for (const form of ["function", "module"] as const) {
      await t.step(`${row} (${form})`, async () => {
        const { outcome } = await host.run(`return ${row}`, { form });
        assert.equal(outcome.kind, "thrown", JSON.stringify(outcome));
      });
    }
  }
  const sound = "return [(() => {}) instanceof Function, (async () => {}).constructor.name, " +
    "typeof Function.prototype.call, `${Object.keys(() => {})}`]";
  const value = [true, "AsyncFunction", "function", ""];
  assert.deepEqual((await host.run(sound)).outcome, { kind: "value", value });
});
