/** The authorization scenarios of the official conformance suite, with Toolscript as the client. */

import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { createSemaphore } from "#base";
import importMap from "../../../../import_map.json" with { type: "json" };

const fileOf = (path: string) => fileURLToPath(new URL(`../../../../${path}`, import.meta.url));
const CONFIG = fileOf("deno.json");
const CLIENT = fileOf("tests/fixtures/auth/conformance_client.ts");
const SUITE = importMap.imports["@modelcontextprotocol/conformance"];

const SCENARIOS = [
  "authorization-server-migration",
  "client-credentials-basic",
  "client-credentials-jwt",
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
  "2025-03-26-oauth-endpoint-fallback",
  "2025-03-26-oauth-metadata-backcompat",
];

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
  // Each spends most of its time waiting, and they share nothing.
  const places = createSemaphore(4);
  const running = SCENARIOS.map((scenario) => ({ scenario, ended: runAlone(scenario) }));
  async function runAlone(scenario: string) {
    using _place = { [Symbol.dispose]: await places.acquire() };
    return await runSuite(["--scenario", `auth/${scenario}`]);
  }
  for (const { scenario, ended } of running) {
    await t.step(scenario, async () => {
      const { code, text } = await ended;
      const [passed] = /Passed: \d+\/\d+, 0 failed, 0 warnings/.exec(text) ?? [];
      assert.ok(code === 0 && passed, text);
    });
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
