/** The authorization scenarios of the official conformance suite, with Toolscript as the client. */

import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import importMap from "../../../../import_map.json" with { type: "json" };

const fileOf = (path: string) => fileURLToPath(new URL(`../../../../${path}`, import.meta.url));
const CONFIG = fileOf("deno.json");
const CLIENT = fileOf("tests/fixtures/auth/conformance_client.ts");
const SUITE = importMap.imports["@modelcontextprotocol/conformance"];

/** Suites that hold scenarios beside these, which are no claim of Toolscript's. */
const OTHERS = {
  draft: [
    "authorization-server-migration",
    "iss-normalized",
    "iss-not-advertised",
    "iss-supported",
    "iss-supported-missing",
    "iss-unexpected",
    "iss-wrong-issuer",
    "metadata-issuer-mismatch",
    "offline-access-not-supported",
    "offline-access-scope",
    "resource-mismatch",
  ],
  extensions: ["client-credentials-basic", "client-credentials-jwt"],
  backcompat: ["2025-03-26-oauth-endpoint-fallback", "2025-03-26-oauth-metadata-backcompat"],
};

for (const revision of ["2025-11-25", "2026-07-28"]) {
  Deno.test(`every scored check of the suite for clients passes for ${revision}`, async () => {
    const { code, text } = await runSuite(["--suite", "auth", "--spec-version", revision]);
    const summary = text.slice(text.indexOf("=== SUITE SUMMARY ==="));
    assert.equal(code, 0, summary);
    assert.ok([...summary.matchAll(/^✓ /gm)].length >= 14, summary);
    assert.match(summary, / passed, 0 failed, 0 warnings/);
  });
}

Deno.test("every scored check of the other authorization scenarios passes", async (t) => {
  // Suites spend most of their time waiting, and share nothing.
  const running = Object.entries(OTHERS).map(([suite, scenarios]) => {
    return { scenarios, ended: runSuite(["--suite", suite]) };
  });
  for (const { scenarios, ended } of running) {
    const { text } = await ended;
    const lines = text.slice(text.indexOf("=== SUITE SUMMARY ===")).split("\n");
    for (const scenario of scenarios) {
      await t.step(scenario, () => {
        const line = lines.find((line) => line.includes(`auth/${scenario}:`)) ?? "";
        assert.match(line, /^✓ [^:]+: [1-9]\d* passed, 0 failed$/, text);
      });
    }
  }
});

async function runSuite(options: readonly string[]): Promise<{ code: number; text: string }> {
  const client = [Deno.execPath(), "run", "-A", "--quiet", "--no-check", `--config=${CONFIG}`];
  const flags = ["run", "-A", "--quiet", `--config=${CONFIG}`, SUITE, "client"];
  const folder = await Deno.makeTempDir({ prefix: "toolscript-suite-" });
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [...flags, "--command", [...client, CLIENT].join(" "), "--timeout", "60000", ...options],
    cwd: folder,
    env: { NO_COLOR: "1" },
    stdin: "null",
  }).output();
  await Deno.remove(folder, { recursive: true });
  const decoder = new TextDecoder();
  return { code, text: decoder.decode(stdout) + decoder.decode(stderr) };
}
