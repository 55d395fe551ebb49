/** WRK-06: the header, as PEP 723 has it, in both languages. */

import assert from "node:assert/strict";
import { readHeader } from "#packs";

const none = { dependencies: [], permissions: {}, requiresPython: undefined };
const rows: [string, string, unknown][] = [
  ["none", "import os\n", undefined],
  ["empty", "# /// script\n# ///\n", none],
  [
    "with everything",
    '#!/usr/bin/env python\n# /// script\n# requires-python = ">=3.11"\n# dependencies = [\n#   "a<2", # why\n#   "b",\n# ]\n# ///\n',
    { dependencies: ["a<2", "b"], requiresPython: ">=3.11", permissions: {} },
  ],
  ["with CRLF", '# /// script\r\n# dependencies = ["a"]\r\n# ///\r\n', {
    ...none,
    dependencies: ["a"],
  }],
  ["with /// inside", '# /// script\n# dependencies = ["a"]\n# ///\n# more\n# ///\n', "malformed"],
  ["without an end", '# /// script\n# dependencies = ["a"]\nimport os\n# ///\n', undefined],
  ["malformed", '# /// script\n# dependencies = ["a"\n# ///\n', "malformed"],
  ["of another type", "# /// script\n# dependencies = 1\n# ///\n", "malformed"],
];

for (const [name, text, expected] of rows) {
  Deno.test(`WRK-06 a header ${name}`, () => {
    const { header, findings } = readHeader(text, { language: "python", file: "x.py" });
    assert.deepEqual(header, expected === "malformed" ? undefined : expected);
    assert.equal(findings.length, expected === "malformed" ? 1 : 0);
    assert.ok(findings.every(({ line, file }) => line !== undefined && file === "x.py"));
    const typescript = text.replaceAll(/^#(?!!)/gm, "//");
    assert.deepEqual(
      readHeader(typescript, { language: "typescript", file: "x.ts" }).header,
      header,
    );
  });
}

Deno.test("a header has known permissions only", () => {
  const read = (toml: string) =>
    readHeader(`// /// script\n// ${toml}\n// ///\n`, { language: "typescript", file: "x.ts" });
  assert.deepEqual(read('permissions = { net = ["a.com"], read = true, run = false }').header, {
    ...none,
    permissions: { net: ["a.com"], read: true },
  });
  const [finding] = read("permissions = { everything = true }").findings;
  assert.match(finding?.message ?? "", /no such permission "everything": there are net, read/);
});
