/** `toolscript mcp` and clients of other versions of the protocol. */

import assert from "node:assert/strict";
import { cli } from "../support/cli.ts";

const LATEST = "2025-11-25";

Deno.test("mcp answers a version that it has with the same, any other with its latest", async () => {
  const home = await Deno.makeTempDir({ prefix: "toolscript-version-" });
  try {
    for (const [version, expected] of [["1999-01-01", LATEST], ["2024-11-05", "2024-11-05"]]) {
      const clientInfo = { name: "old", version: "1" };
      const params = { protocolVersion: version, capabilities: {}, clientInfo };
      const request = { jsonrpc: "2.0", id: 1, method: "initialize", params };
      const stdin = `${JSON.stringify(request)}\n`;
      const { stdout, stderr } = await cli(["mcp", "--private"], { home, cwd: home, stdin });
      const answer = JSON.parse(stdout.split("\n")[0] ?? "");
      assert.equal(answer.result.protocolVersion, expected, stderr);
    }
  } finally {
    await Deno.remove(home, { recursive: true });
  }
});
