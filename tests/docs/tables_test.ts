/** The tables of settings in the docs are those of the rules. */

import assert from "node:assert/strict";
import { CONFIG } from "../../config/schema.ts";
import { pagesWithTables, withTables } from "../../release/tables.ts";

Deno.test("the tables of settings are up to date (deno task docs)", async (t) => {
  for (const { url, current, text } of pagesWithTables()) {
    await t.step(url.pathname.replace(/^.*\/docs\//, "docs/"), () => assert.equal(current, text));
  }
});

Deno.test("the docs have a table for the configuration, its servers and each pack", () => {
  const pages = pagesWithTables().map(({ text }) => text).join("\n");
  const packs = Object.keys(CONFIG.keys.packs.keys).map((pack) => `packs.${pack}`);
  for (const section of ["all", "servers", ...packs]) {
    assert.ok(pages.includes(`<!-- settings: ${section} -->\n\n| key `), section);
  }
});

Deno.test("withTables() writes keys with their defaults and links", () => {
  const empty = "a\n\n<!-- settings: security -->\n<!-- end -->\n\nb\n";
  const page = withTables(empty, "x/page.md");
  assert.match(page, /^a\n\n<!-- settings: security -->\n\n\| key +\| default +\| meaning +\|\n/);
  assert.match(page, /\n\| `ask_timeout` +\| 120 +\| /);
  assert.match(page, /\n\| `blocked` +\| none +\| /);
  assert.match(page, /\n\| `sanitize` +\| `off` .*\(\.\.\/security\.md#hostile-servers\) *\|\n/);
  assert.match(page, /\|\n\n<!-- end -->\n\nb\n$/);
  assert.equal(withTables(page, "x/page.md"), page);
  assert.match(withTables(empty, "security.md"), /\[below\]\(#hostile-servers\)/);
});

Deno.test("withTables() refuses a section that does not exist", () => {
  const page = "<!-- settings: nothing -->\n<!-- end -->\n";
  assert.throws(() => withTables(page, "x.md"), /the configuration has no such section/);
});

Deno.test("withTables() writes every command with its options", () => {
  const page = withTables("<!-- commands: all -->\n<!-- end -->\n", "x.md");
  assert.match(page, /\n\| `toolscript exec FILE \\\| -e CODE \\\| - \[ARGUMENT…\]` +\| /);
  assert.match(page, /\n\| `-e, --eval CODE` +\| Run this code +\|\n/);
  const options = withTables("<!-- commands: options -->\n<!-- end -->\n", "x.md");
  assert.match(options, /\n\| `--json` +\| Print data as JSON +\|\n/);
});
