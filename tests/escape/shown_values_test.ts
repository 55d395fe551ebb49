/** The trust list shows the words that are used, not what YAML reads them as. */

import assert from "node:assert/strict";
import { openProject } from "../config/project.ts";
import { UNTRUSTED } from "./trust_place.ts";

Deno.test("the trust list shows words as they are written", async () => {
  await using it = await openProject({
    ".onetool/onetool.yaml": `
servers:
  a: { command: sh, args: [010, True, .nan, 1e3, 10, "x"], env: { BASH_ENV: .inf, N: ~ } }
commands: { t: [sh, 0x10] }
`,
  });
  const { trust: { items } } = await it.load({ env: UNTRUSTED });
  const lines = JSON.stringify(items);
  for (const word of ["010", "True", ".nan", "1e3", ".inf", "0x10"]) {
    assert.ok(lines.includes(word), `${word}: ${lines}`);
  }
});
