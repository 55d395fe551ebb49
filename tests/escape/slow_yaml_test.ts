/** A configuration of a stranger is read in a moment, whatever is in it, or refused. */

import assert from "node:assert/strict";
import { parseYaml } from "../../config/tree/yaml.ts";
import { usedMs } from "../support/turns.ts";

const SIZE = 1_000_000;
/** Processor time far above what a slow machine takes. */
const MOST_MS = 8_000;

function filled(piece: string): string {
  return piece.repeat(Math.ceil(SIZE / piece.length)).slice(0, SIZE);
}

const TEXTS: Readonly<Record<string, string>> = {
  "pairs in a list on one line": `[${filled("a: b, ")}]`,
  "keys in a list on one line": `[${filled("? a, ")}]`,
  "pairs in a map on one line": `{${filled("a: 1, ")}}`,
  "lists on one line": filled("[],"),
  "unknown tags": filled("- !x a\n"),
  "different unknown tags": Array.from({ length: 80_000 }, (_, at) => `- !x${at} a`).join("\n"),
  "different aliases of nothing": Array.from({ length: 80_000 }, (_, at) => `- *x${at}`).join("\n"),
  "a long list of things to merge": `<<: [${filled("a,")}]`,
  "a long list to merge by its alias": `b: &b [${filled("{},")}]\n<<: *b`,
  "keys": Array.from({ length: 120_000 }, (_, at) => `k${at}: 1`).join("\n"),
  "documents": filled("---\n"),
};

Deno.test("parseYaml() reads no file for long, and tells little of it", async (t) => {
  for (const [name, text] of Object.entries(TEXTS)) {
    await t.step(name, () => {
      const begun = usedMs();
      const { findings } = parseYaml(text, "x.yaml");
      const took = usedMs() - begun;
      assert.ok(took < MOST_MS, `${took} ms`);
      assert.ok(findings.length > 0 && findings.length <= 200, String(findings.length));
      for (const { message } of findings) assert.ok(message.length < 300);
    });
  }
});

Deno.test("parseYaml() tells a mistake behind many warnings", () => {
  const tags = Array.from({ length: 300 }, (_, at) => `t${at}: !x${at} a`).join("\n");
  const { findings } = parseYaml(`${tags}\na: 1\na: 2\n`, "x.yaml");
  assert.match(
    findings.filter(({ severity }) => severity === "error").map(({ message }) => message).join(),
    /unique/,
  );
});
