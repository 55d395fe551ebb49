import assert from "node:assert/strict";
import { keyOf } from "../../../packs/closed/names.ts";
import { longestTurn } from "../../support/turns.ts";

Deno.test("keyOf() drops blanks and dots at the end of a name, of a long one too", () => {
  assert.equal(keyOf("/A. ./b ..c. "), "/a/b ..c");
  assert.equal(keyOf(`/a${" ".repeat(1_000_000)}x. `).length, 1_000_003);
});

Deno.test("keyOf() makes one name of each name, whatever its compatible form is", () => {
  const names = ["r\\x", "\u200b", ".", "..", "\u2024\u2024"];
  for (let code = 1; code <= 0x10ffff; code++) {
    const name = String.fromCodePoint(code);
    if (/[/\\]|^$/.test(name.normalize("NFKC")) && name !== "/") names.push(name);
  }
  assert.ok(names.includes("℅"));
  for (const name of names) {
    assert.equal(keyOf(`/a/${name}b/c`).split("/").length, 4, name);
    assert.equal(keyOf(`/a/${name}/c`).split("/").length, name === "." ? 3 : 4, name);
  }
});

Deno.test("keyOf() reads any number of accents, and folds each name that can be", () => {
  const accents = "\u0301\u0316";
  const longest = longestTurn();
  for (const name of [accents.repeat(60_000), `${accents.repeat(100)}/`.repeat(600)]) {
    keyOf(`/a${name}`);
  }
  assert.ok(longest() < 2_000, `${longest()} ms`);
  for (const length of [1, 100, 250]) {
    const name = "e\u0301".repeat(length);
    assert.equal(keyOf(`/${name}`.slice(0, 256)), keyOf(`/${name.slice(0, 255).normalize("NFC")}`));
  }
  assert.equal(keyOf(`/${"Ａ".repeat(300)}`), `/${"a".repeat(300)}`);
});
