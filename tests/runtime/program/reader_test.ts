import { deepStrictEqual } from "node:assert/strict";
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
