import assert from "node:assert/strict";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { buildInstructions, ownTools } from "#gateway/mcp";
import { type ListedPack, listPacks } from "../../../../gateway/mcp/run/definition.ts";

const BUDGET = 550;
const BYTES = 2_000;

function packsOf(names: readonly string[], purpose = ""): ListedPack[] {
  return names.map((name) => ({ name, purpose }));
}

function numbered(count: number, nameOf: (index: number) => string): string[] {
  return Array.from({ length: count }, (_, index) => nameOf(index));
}

Deno.test("instructions and tools stay within their budget with any number of tools", async (t) => {
  const cases: Readonly<Record<string, readonly ListedPack[]>> = {
    "nothing": [],
    "three servers": packsOf(["github", "brave", "filesystem"]),
    "servers with a purpose": packsOf(
      ["github", "office", "shop", "files", "db", "web"],
      "mail, calendar, message",
    ),
    "purposes of many tokens": packsOf(
      numbered(24, (index) => `s${index}`),
      "zyqxavu, xoqzik, uoaei",
    ),
    "purposes in another script": packsOf(numbered(24, (index) => `s${index}`), "ЖщЪыя, 日程表"),
    "twenty-five servers": packsOf(numbered(25, (index) => `server-${index}`)),
    "two thousand servers": packsOf(numbered(2_000, (index) => `srv_${index}`)),
    "long names": packsOf(numbered(40, (index) => `an-unusually-long-name-for-a-server-${index}`)),
    "names of many tokens": packsOf(numbered(40, (index) => `xQz_${index}-Zk9_vW`)),
    "names without vowels": packsOf(numbered(200, (index) => `xqzkvpw${index}`)),
    "names in another script": packsOf(numbered(200, (index) => `${"ЖщЪ"}${index}`)),
    "one endless name": packsOf(["x9-".repeat(1_000)]),
  };
  for (const [name, packs] of Object.entries(cases)) {
    await t.step(name, () => {
      const texts = [
        buildInstructions({ packs }),
        ...ownTools({ look: true }).map((tool) => JSON.stringify(tool)),
      ];
      const count = texts.reduce((sum, text) => sum + countTokens(text), 0);
      assert.ok(count <= BUDGET, `${count} tokens`);
      for (const text of texts) assert.ok(new TextEncoder().encode(text).length < BYTES);
    });
  }
});

Deno.test("buildInstructions() points to ot.help alone, and adds the text of the configuration", () => {
  const packs = [{ name: "office", purpose: "mail, calendar" }, { name: "brave", purpose: "" }];
  const text = buildInstructions({ packs, extra: "Be kind." });
  assert.match(text, /\n\nPacks: office: mail, calendar; brave\.\n/);
  assert.match(text, /`ot\.help\("create issue", "send mail"\)`/);
  assert.deepEqual([...new Set(text.match(/\bot\.\w+/g))], ["ot.help"]);
  assert.ok(text.endsWith("\n\nBe kind."));
});

Deno.test("listPacks() names the first packs, one word of each before a second", () => {
  const many = packsOf(numbered(64, (index) => `p${index}`));
  assert.match(listPacks(many), /^p0, p1, .*p23 and 40 more$/);
  assert.equal(listPacks(packsOf(["x".repeat(400)])), "1 packs");
  const few = listPacks(packsOf(["a", "b"], "issue, milestone"));
  assert.equal(few, "a: issue, milestone; b: issue, milestone");
  const some = listPacks(packsOf(numbered(12, (index) => `p${index}`), "issue, milestone"));
  assert.match(some, /^p0: issue, milestone; .*; p11: issue$/);
});
