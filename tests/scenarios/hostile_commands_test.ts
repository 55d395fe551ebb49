/** Hostile commands: each gets a clear error or the right answer, soon, and nothing is lost. */

import assert from "node:assert/strict";
import { openGateway } from "../support/gateway.ts";

const ROWS: { name: string; command: string; value?: unknown; code?: RegExp }[] = [
  { name: "200 KB of brackets", command: "[".repeat(200_000), code: /syntax_error/ },
  {
    name: "200 KB of nested brackets that close",
    command: "[".repeat(100_000) + "]".repeat(100_000),
    code: /syntax_error/,
  },
  { name: "a command of 5 MB", command: `"${"x".repeat(5_000_000)}"`, code: /too_large/ },
  { name: "a NUL", command: '"a\0b".length', value: 3 },
  { name: "a lone surrogate", command: '"\ud800".length', value: 1 },
  { name: "line ends of all kinds", command: "a = 1\r\nb = 2\rc = 3\na + b + c", value: 6 },
  { name: "tabs and blanks", command: "\t a = 1\n \t b = 2\na + b", value: 3 },
  { name: "a fence inside a template", command: "`\\`\\`\\`ts\n1\n\\`\\`\\``.length", value: 11 },
  {
    name: "a snippet value with everything in it",
    command: '$say text="\'\\"`${1}{{ mark }}{% if 1 %}"',
    value: "'\"`${1}{{ mark }}{% if 1 %}",
  },
  { name: "nothing", command: "", code: /^$/ },
  { name: "a template that never ends", command: "`${", code: /syntax_error/ },
];

Deno.test("hostile commands end in a clear error or the right answer", async (t) => {
  await using gateway = await openGateway({
    snippets: { say: { params: { text: {} }, body: '"{{ text }}"' } },
  });
  await gateway.run("1"); // Everything is loaded from here on.
  for (const { name, command, value, code } of ROWS) {
    await t.step(name, async () => {
      const response = await gateway.post("/run", { command });
      const reply = await response.json();
      assert.equal(response.status, 200, JSON.stringify(reply));
      if (value !== undefined) assert.deepEqual(reply.value, value, reply.text);
      if (code) assert.match(reply.error?.code ?? "", code, reply.text);
      assert.ok(reply.text.length < 100_000, "the answer is as large as the question");
      const next = await (await gateway.post("/run", { command: "1 + 1" })).json();
      assert.equal(next.value, 2);
    });
  }
});
