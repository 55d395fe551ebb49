import assert from "node:assert/strict";
import { createLocalPack, missingDirect } from "#packs";

const tool = (name: string) => ({
  spec: { name, description: "", inputSchema: { type: "object" } },
  call: () => Promise.resolve({ value: null }),
});
const PACKS = [
  createLocalPack("github", [tool("search"), tool("create_issue")]),
  createLocalPack("late", []),
];

const ROWS: { entry: string; problem?: string }[] = [
  { entry: "github" },
  { entry: "github.search" },
  { entry: "github.create_*" },
  { entry: "late.anything" },
  { entry: "githb", problem: 'no such server or pack: did you mean "github"?' },
  { entry: "nothing", problem: "no such server or pack: there are github, late" },
  { entry: "github.serch", problem: 'no such tool in "github": did you mean "search"?' },
  { entry: "github.delete_*", problem: 'no such tool in "github": there are search, create_issue' },
];

Deno.test("missingDirect() reports entries without a pack or tool", async (t) => {
  for (const { entry, problem } of ROWS) {
    await t.step(entry, () => {
      const expected = problem === undefined
        ? []
        : [`Cannot offer "${entry}" directly: ${problem}`];
      assert.deepEqual(missingDirect([entry], PACKS), expected);
    });
  }
});
