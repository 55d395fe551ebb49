/** VAL: everything that is wrong with a program is in one answer, through `POST /run`. */

import assert from "node:assert/strict";
import type { RunReply } from "#runtime";
import { openGateway } from "../support/gateway.ts";

interface Row {
  readonly name: string;
  readonly body: Record<string, unknown>;
  readonly code: string;
  /** Texts that the answer holds. */
  readonly text: readonly string[];
  readonly details?: Record<string, unknown>;
  readonly warnings?: readonly RegExp[];
}

const IMPORT = "Import of 'child_process' is not allowed (matches 'child_process')";
const EVAL = "Dangerous builtin 'eval' is not allowed (matches 'eval')";

const ROWS: readonly Row[] = [
  ...[
    'import { exec } from "node:child_process"; exec("ls")',
    'import * as cp from "child_process"',
    'export * from "node:child_process"',
    'await import("node:child_process")',
    'import type { ExecOptions } from "node:child_process"',
    'type T = import("node:child_process").ExecOptions',
  ].map((script) => ({
    name: `VAL-36 ${script}`,
    body: { script },
    code: "blocked",
    text: [IMPORT],
    details: { pattern: "child_process" },
  })),
  {
    name: "VAL-36 in a command",
    body: { command: 'import { exec } from "node:child_process"\nexec("ls")' },
    code: "blocked",
    text: [IMPORT, "child_process.exec is not allowed (matches 'child_process.*')"],
    details: {
      pattern: "child_process",
      patterns: ["child_process", "child_process.*"],
      specifier: "node:child_process",
    },
  },
  {
    name: "VAL-19 imports and calls",
    body: {
      script: 'import "npm:left-pad";\nimport "node:child_process";\nimport "./none.ts";\n' +
        'eval("1");',
    },
    code: "blocked",
    text: ['Cannot import "npm:left-pad"', IMPORT, 'Cannot import "./none.ts": no such file', EVAL],
    details: { pattern: "child_process", specifier: "npm:left-pad" },
  },
  {
    name: "VAL-19 in the program and beside it",
    body: {
      script: 'import "./a.ts";\nimport "./b.ts"; eval("1")',
      files: { "a.ts": 'import "node:child_process"', "b.ts": "let let" },
    },
    code: "blocked",
    text: [IMPORT, "a.ts:1", EVAL, "Syntax error at line 1", "b.ts:1:5"],
  },
  {
    name: "VAL-19 what is blocked and what is not there",
    body: { command: 'eval("1")\nnone.go(a=1)' },
    code: "blocked",
    text: [EVAL, 'no such pack "none"'],
  },
  {
    name: "VAL-20 a warning beside what is blocked",
    body: { script: 'open("file.txt"); eval("1")' },
    code: "blocked",
    text: [EVAL],
    warnings: [/^Potentially unsafe function 'open'/],
  },
  {
    name: "VAL-08 a warning beside a name that is not there",
    body: { command: 'open("file.txt")' },
    code: "syntax_error",
    text: ["Commands are TypeScript"],
    warnings: [/^Potentially unsafe function 'open'/],
  },
  {
    name: "VAL-21 a warning beside a pack that is not there",
    body: { command: 'x = none.go(a=1)\nopen("file.txt")' },
    code: "type_error",
    text: ['no such pack "none"'],
    warnings: [/^Potentially unsafe function 'open'/],
  },
  {
    name: "VAL-33 a warning of an import that is refused",
    body: { script: '\nimport { readFileSync } from "node:fs"; readFileSync("x")' },
    code: "blocked",
    text: ['Cannot import "node:fs"'],
    details: { specifier: "node:fs" },
    warnings: [/^Potentially unsafe import 'fs'/, /^Potentially unsafe function 'fs.readFileSync'/],
  },
  {
    name: "VAL-08 a warning of a file beside the program",
    body: {
      script: 'import "./a.ts"; import "npm:x"',
      files: { "a.ts": 'Deno.readTextFile("x")' },
    },
    code: "blocked",
    text: ['Cannot import "npm:x"'],
    warnings: [/^Potentially unsafe function 'Deno.readTextFile' at a.ts:1/],
  },
];

Deno.test("one reply reports every error of a program", async (t) => {
  await using gateway = await openGateway();
  for (const { name, body, code, text, details = {}, warnings = [] } of ROWS) {
    await t.step(name, async () => {
      const response = await gateway.post("/run", body);
      const reply: RunReply = await response.json();
      assert.equal(reply.error?.code, code, reply.text);
      for (const part of text) {
        assert.equal(reply.text.split(part).length, 2, `${part} once in: ${reply.text}`);
      }
      for (const [key, value] of Object.entries(details)) {
        assert.deepEqual(reply.error?.details[key], value, key);
      }
      assert.equal(reply.warnings.length, warnings.length, reply.warnings.join("\n"));
      warnings.forEach((pattern, at) => assert.match(reply.warnings[at] ?? "", pattern));
    });
  }
  await t.step("VAL-36 the message is that of the lists", async () => {
    const script = 'import { exec } from "node:child_process"';
    const { error } = await gateway.run(script);
    assert.equal(error?.message, IMPORT);
    assert.deepEqual([error?.line, error?.details.specifier], [1, "node:child_process"]);
  });
});

Deno.test("VAL-23 without the lists an import is refused all the same", async () => {
  await using gateway = await openGateway({ security: { enabled: false } });
  const { error } = await gateway.run('import { exec } from "node:child_process"');
  assert.equal(error?.code, "blocked");
  assert.match(error?.message ?? "", /^Cannot import "node:child_process"/);
  assert.equal(error?.details.specifier, "node:child_process");
});
