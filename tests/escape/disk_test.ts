/** No program fills the disk of the folder that its process has. */

import assert from "node:assert/strict";
import { Budget } from "../../sandbox/process/budget.ts";
import { watchSizes } from "../support/folder_sizes.ts";
import { openGateway } from "../support/gateway.ts";

/** Imports what `specifier` makes of a number, as JSON: each fails as soon as it was loaded. */
const fill = (specifier: string, count: number) =>
  `const text = "//" + "x".repeat(100_000) + "\\n";
for (let n = 0; n < ${count}; n++) {
  try { await import(${specifier}, { with: { type: "json" } }) } catch { }
}
await new Promise((done) => setTimeout(done, 60_000));`;

/** Bytes of all modules of a run, and of what else is in its folder. */
const PROMISE = 34 * 1_048_576;

Deno.test("a program that loads modules again and again is ended", async (t) => {
  const description = "x".repeat(10_000);
  const snippets = [...Array(20).keys()].map((n) => [`s${n}`, { description, body: "1" }]);
  const rows = {
    "its own": "`./script.ts?${n}`",
    "the tools": "`../runtime/tools.ts?_t=${n}`",
    "a long address": "`./script.ts?${text.slice(0, 60_000)}${n}`",
    "a part of it that is not sent": "`./script.ts?${n}#${'y'.repeat(65_000)}`",
    "characters that take two bytes": "`./script.ts?${n}#${'\\\\'.repeat(65_000)}`",
    "none that is there": "`./no${n}.ts#${'y'.repeat(65_000)}`",
    "none of the tools": "`../runtime/no${n}.ts#${'y'.repeat(65_000)}`",
    "long texts of three bytes": "`./script.ts?${n}`",
  };
  await using gateway = await openGateway({ snippets: Object.fromEntries(snippets) });
  for (const [name, specifier] of Object.entries(rows)) {
    await t.step(name, async () => {
      const script = fill(specifier, 20_000);
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
