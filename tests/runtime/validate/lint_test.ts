import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { join } from "node:path";
import { lintCode } from "../../../runtime/validate/mod.ts";

const deno = Deno.execPath();

Deno.test("VAL-14 the linter's warnings have a rule, a text and a place", async () => {
  const warnings = await lintCode("const ok = 1;\nvar x: any = ok;\nexport { x };", { deno });
  ok(warnings.length >= 2);
  const place = warnings.find(({ rule }) => rule === "no-var");
  deepStrictEqual([place?.line, place?.column], [2, 1]);
  deepStrictEqual(await lintCode("export const a = 1;\n", { deno }), []);
});

Deno.test("VAL-15 without a linter there are no warnings", async () => {
  deepStrictEqual(await lintCode("var x", { deno: "/nonexistent/deno" }), []);
});

Deno.test("VAL-15 a linter that fails gives no warnings", async (t) => {
  const folder = await Deno.makeTempDir();
  try {
    const answers = ["exit 3", "echo not json", "echo '{\"diagnostics\": 5}'", "echo '[1]'", "cat"];
    for (const [index, answer] of answers.entries()) {
      await t.step(answer, async () => {
        const script = await program(join(folder, `lint${index}`), answer);
        deepStrictEqual(await lintCode("var x".repeat(50_000), { deno: script }), []);
      });
    }
    await t.step("code that does not parse", async () => {
      deepStrictEqual(await lintCode("let let", { deno }), []);
    });
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("VAL-16 a slow linter gives no warnings and is stopped", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const pidFile = join(folder, "pid");
    const script = await program(join(folder, "lint"), `echo $$ > ${pidFile}; exec sleep 600`);
    deepStrictEqual(await lintCode("var x", { deno: script, timeoutMs: 1_000 }), []);
    const pid = Number(await Deno.readTextFile(pidFile));
    ok(pid > 0);
    strictEqual(await Deno.stat(`/proc/${pid}`).then(() => true, () => false), false);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("VAL-16 a run that ended does not wait for the linter", async () => {
  deepStrictEqual(await lintCode("var x", { deno, signal: AbortSignal.abort() }), []);
});

async function program(path: string, body: string): Promise<string> {
  await Deno.writeTextFile(path, `#!/bin/sh\n${body}\n`, { mode: 0o755 });
  return path;
}
