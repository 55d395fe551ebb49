import { deepStrictEqual, ok } from "node:assert/strict";
import { createProgramReader } from "../../../runtime/program/mod.ts";
import { PROGRAMS } from "./programs.ts";
import { runServed } from "./run_served.ts";

Deno.test("TSX-05 TSX-07 TSX-08 programs run wrapped as they would alone", async (t) => {
  await using reader = createProgramReader();
  const ready = await Promise.all(PROGRAMS.map(async ({ script, files = {}, name }) => {
    const read = await reader.read({ kind: "script", script, file: "script.ts", files });
    if (read.kind === "finding") throw new Error(`${name}: ${JSON.stringify(read.finding)}`);
    return read;
  }));
  const ran = await runServed(ready);
  for (const [index, row] of PROGRAMS.entries()) {
    await t.step(row.name, () => {
      deepStrictEqual(ran[index], row.gives, ready[index]?.program.modules.get("script.ts"));
    });
  }
});

Deno.test("comments that name another source are not served with a module", async () => {
  await using reader = createProgramReader();
  const text = "//@ sourceMappingURL=a\nexport const b = '//# sourceURL=b';\n" +
    "export function c() { //#\tsourceMappingURL=c\n return 1; } //# sourceURL=d";
  const script = `import { b } from "./b.ts";\n${text.replaceAll("export ", "")}\nb;`;
  const files = { "b.ts": text };
  const source = {
    kind: "script",
    script: script.replace("const b", "const d"),
    file: "s.ts",
    files,
  };
  const read = await reader.read(source as Parameters<typeof reader.read>[0]);
  ok(read.kind !== "finding", JSON.stringify(read));
  const served = [...read.program.modules.values()];
  deepStrictEqual(served.length, 2);
  for (const module of served) {
    deepStrictEqual(module.match(/source(?:Mapping)?URL=\w/g), ["sourceURL=b"]);
    deepStrictEqual(module.split("\n").length >= 3, true);
  }
});

Deno.test("a comparison that Deno takes for a comment is refused, in a program or beside it", async () => {
  await using reader = createProgramReader();
  const text = "export let x = 1, y = 2;\nx <!--y;";
  const beside = { script: 'import { x } from "./b.ts";\nx', files: { "b.ts": text } };
  for (const source of [{ script: text, files: {} }, beside]) {
    const read = await reader.read({ kind: "script", file: "s.ts", ...source });
    ok(read.kind === "finding", JSON.stringify(read));
    deepStrictEqual(read.finding.code, "syntax_error");
  }
});
