/** Globs that are matched in the gateway's own thread: each takes little time, whatever the path is. */

import assert from "node:assert/strict";
import { areCheap, compileGlobs, MOST_CHEAP_PATH } from "../../../../packs/builtin/search/globs.ts";
import { usedMs } from "../../../support/turns.ts";

const CHEAP = [
  "*.ts",
  "!*.min.js",
  "src/**/*.test.*",
  "**/deep/**",
  "*.{ts,tsx,js}",
  "{src,tests}/**/*.ts",
  "a?c",
  "**/*a*",
  "**/a/**/b*",
  `*.{${Array.from({ length: 60 }, (_, at) => `e${at % 10}`).join()}}`,
  `*${"a".repeat(199)}`,
];
const COSTLY = [
  "*a*b*c",
  "!*?*?*z",
  "*?",
  "???*",
  "**a**",
  "*a**",
  "{a,b?}*",
  "*a*{b,c}",
  "*.{a,{b,c}}",
  "{a,b}{c,d}",
  "{a/b,c}",
  "+(a|b)",
  "[ab]*",
  "a\\*b",
  "**/**/**/a",
  `*${"a".repeat(200)}`,
  `!*?*?*{${Array.from({ length: 30 }, () => "?????b").join()}}z`,
];
/** Paths that a search follows far: many names, long names, and nearly what is looked for. */
const PATHS = [
  "a/".repeat(MOST_CHEAP_PATH / 2 - 1) + "a",
  `${"a".repeat(249)}/${"a".repeat(250)}`,
  `${"a".repeat(250)}`,
  "e1.".repeat(80),
];

for (const glob of CHEAP) {
  Deno.test(`areCheap() takes ${glob.slice(0, 40)}, which is matched in little time`, () => {
    assert.ok(areCheap([glob]));
    const matches = compileGlobs([glob]);
    for (const path of PATHS) {
      const name = path.slice(path.lastIndexOf("/") + 1);
      matches(path, name); // compiles the pattern
      const before = usedMs();
      matches(path, name);
      const ms = usedMs() - before;
      assert.ok(ms < 20, `${ms} ms for ${path.slice(0, 20)}`);
    }
  });
}

Deno.test("areCheap() refuses what may take long, and many globs", () => {
  for (const glob of COSTLY) assert.ok(!areCheap([glob]), glob);
  assert.ok(!areCheap(Array<string>(9).fill("*.ts")));
  assert.ok(areCheap(Array<string>(8).fill("*.ts")));
});
