import assert from "node:assert/strict";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { buildInstructions, runTool } from "#gateway/mcp";
import { listPacks } from "../../../../gateway/mcp/run/definition.ts";

const BUDGET = 550;

function tokens(packs: readonly string[]): number {
  return countTokens(buildInstructions({ packs })) + countTokens(JSON.stringify(runTool()));
}

Deno.test("instructions and tool stay within their budget with any number of tools", async (t) => {
  const named = (count: number, name: (index: number) => string) =>
    Array.from({ length: count }, (_, index) => name(index));
  const cases: Readonly<Record<string, readonly string[]>> = {
    "nothing": [],
    "three servers": ["github", "brave", "filesystem"],
    "twenty-five servers": named(25, (index) => `server-${index}`),
    "two thousand servers": named(2_000, (index) => `srv_${index}`),
    "long names": named(40, (index) => `an-unusually-long-name-for-a-server-${index}`),
    "names of many tokens": named(40, (index) => `xQz_${index}-Zk9_vW`),
    "names without vowels": named(200, (index) => `xqzkvpw${index}`),
    "names in another script": named(200, (index) => `${"ЖщЪ"}${index}`),
    "one endless name": ["x9-".repeat(1_000)],
  };
  for (const [name, packs] of Object.entries(cases)) {
    await t.step(name, () => {
      const count = tokens(packs);
      assert.ok(count <= BUDGET, `${count} tokens`);
    });
  }
});

Deno.test("buildInstructions() names the first packs, and adds the text of the configuration", () => {
  const text = buildInstructions({ packs: ["github", "brave"], extra: "Be kind." });
  assert.match(text, /Packs: github, brave\. /);
  assert.match(text, /ot\.help/);
  assert.match(text, /`ot\.tools\(pack="\.\.\.", info="full"\)`/); // without it there are no signatures
  assert.ok(text.endsWith("\n\nBe kind."));
  const many = Array.from({ length: 64 }, (_, index) => `p${index}`);
  assert.match(listPacks(many), /^p0, p1, .*p23 and 40 more$/);
  assert.equal(listPacks(["x".repeat(400)]), "1 packs");
});
