/** Filters of generated modules hold up no other work, whoever sends them. */

import { deepEqual, equal, ok } from "node:assert/strict";
import { nameTools } from "#packs";
import { createModuleGenerator } from "#runtime";
import { createRunPath, type RunPathDeps } from "../../gateway/run/run_path.ts";
import { Budget } from "../../sandbox/process/budget.ts";
import { openVisit } from "../../sandbox/process/visit.ts";
import { generatorOf, packOf } from "../support/generated.ts";
import { countTurns } from "../support/turns.ts";

const COSTLY = Array(50).fill(`*${"?".repeat(125)}~`).join();

Deno.test("below the path of a run no filter is worked out", async (t) => {
  const reads: unknown[][] = [];
  const runPath = createRunPath({
    catalog: { file: (...args: unknown[]) => (reads.push(args), "export {}") },
  } as unknown as RunPathDeps);
  const rows: Record<string, [query: string, file?: string, method?: string]> = {
    "costly globs": [`tools.ts?filter=${COSTLY}`],
    "many entries": [`tools.ts?filter=${"x,".repeat(30_000)}`],
    "for one pack": [`types/file.ts?filter=${COSTLY}`],
    "for what a process loads": [`tools.ts?_t=1&filter=${COSTLY}`, "tools.js"],
    "again and again": [`types.ts?filter=a${"&filter=*a*b".repeat(5_000)}`],
    "without a body": [`tools.ts?filter=${COSTLY}`, "tools.ts", "HEAD"],
  };
  for (const [name, [query, file, method = "GET"]] of Object.entries(rows)) {
    await t.step(name, async () => {
      const url = new URL(`http://127.0.0.1/r/secret/runtime/${query}`);
      const path = url.pathname.slice("/r/secret/".length);
      using visit = openVisit({
        secret: "secret",
        budget: new Budget(() => {}),
        signal: new AbortController().signal,
        module: () => undefined,
        posted: () => undefined,
      });
      const response = await runPath(new Request(url, { method }), { path, visit });
      equal((await response.text()).split("\n")[0], "export {}");
      deepEqual(reads.splice(0), [[file ?? path.slice("runtime/".length)]]);
    });
  }
});

Deno.test("the types of a pack are put together once", () => {
  let lookups = 0;
  const generator = createModuleGenerator({ learned: () => (lookups++, undefined) });
  generator.update(nameTools([packOf("p", [{ name: "a" }, { name: "b" }])]).entries);
  const text = generator.file("types/p.ts");
  equal(generator.file("types/p.ts"), text);
  equal(lookups, 2);
  generator.relearn(new Set("p"));
  equal(generator.file("types/p.ts"), text);
  equal(lookups, 4);
});

Deno.test("other work runs while a filter is applied", async (t) => {
  const names = (length: number) =>
    Array.from({ length: 200 }, (_, at) => ({ name: `t${at}`.padEnd(length, "a") }));
  const rows: Record<string, [filter: string[], length: number]> = {
    "any characters": [COSTLY.split(","), 250],
    "a letter again and again": [Array(50).fill(`*${"a".repeat(120)}b*`), 250],
    "both": [Array(50).fill(`*${"a?".repeat(60)}b*`), 250],
    "long ends": [Array(50).fill(`*${"a".repeat(90)}*${"a".repeat(90)}c`), 200],
  };
  for (const [name, [filter, length]] of Object.entries(rows)) {
    await t.step(name, async () => {
      const generator = generatorOf([packOf("many", names(length))]);
      const { turns } = await countTurns(() => generator.filtered("tools.ts", filter));
      ok(turns > 3, `${turns} turns`);
    });
  }
});
