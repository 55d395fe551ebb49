/** The official conformance suite against `/mcp`, with a server of its names behind the gateway. */

import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import importMap from "../../../import_map.json" with { type: "json" };
import { openGateway } from "../../support/gateway.ts";
import expected from "./conformance_expected.json" with { type: "json" };
import { openDoor } from "./open_door.ts";

const CONFIG = fileURLToPath(new URL("../../../deno.json", import.meta.url));
const FIXTURE = fileURLToPath(
  new URL("../../fixtures/mcp/conformance_server.ts", import.meta.url),
);
const SUITE = importMap.imports["@modelcontextprotocol/conformance"];

for (const [revision, leftOut] of Object.entries(expected)) {
  Deno.test(`the official conformance suite passes for ${revision}`, async () => {
    const args = ["run", "-A", "--quiet", "--no-check", `--config=${CONFIG}`, FIXTURE];
    await using gateway = await openGateway({
      servers: { conformance: { command: Deno.execPath(), args } },
      direct: ["conformance"],
    });
    await gateway.ready();
    await using door = await openDoor(gateway);
    const flags = ["run", "-A", "--quiet", `--config=${CONFIG}`, SUITE, "server"];
    const { code, stdout } = await new Deno.Command(Deno.execPath(), {
      args: [...flags, "--url", `${door.url}/mcp`, "--requirements", revision],
      cwd: gateway.project,
      stdout: "piped",
      stderr: "piped",
    }).output();
    const text = new TextDecoder().decode(stdout);
    const summary = text.slice(text.indexOf("=== SUMMARY ==="));
    assert.equal(code, 0, summary);
    const failed = [...summary.matchAll(/^✗ ([\w-]+): /gm)].map(([, name]) => name);
    assert.deepEqual(failed.sort(), Object.keys(leftOut).sort(), summary);
    assert.ok([...summary.matchAll(/^✓ /gm)].length >= 30, summary);
  });
}
