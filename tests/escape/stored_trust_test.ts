/** The variable that trusts every project is for the moment: it stores trust in none. */

import assert from "node:assert/strict";
import { openPlace, UNTRUSTED } from "./trust_place.ts";

const EVIL = { command: "touch", args: ["MARK"] };
const ALL = { TOOLSCRIPT_TRUST: "all" };

Deno.test("what a command writes under TOOLSCRIPT_TRUST=all stores no trust in what was there", async (t) => {
  const own = { ".onetool/onetool.yaml": JSON.stringify({ servers: { evil: EVIL } }) };
  const ofClient = { ".mcp.json": JSON.stringify({ mcpServers: { evil: EVIL } }) };
  const rows: Record<string, [files: Record<string, string>, args: readonly string[]]> = {
    "connect": [own, ["connect", "cursor"]],
    "connect, into a file of the project": [ofClient, ["connect", "claude-code"]],
    "init pack": [own, ["init", "pack", "weather"]],
    "trust": [own, ["trust"]],
  };
  for (const [name, [files, args]] of Object.entries(rows)) {
    await t.step(name, async () => {
      await using place = await openPlace(files);
      const { code, stderr } = await place.cli(args, { env: ALL });
      assert.equal(code, args[0] === "trust" ? 2 : 0, stderr);
      const listed = JSON.parse((await place.cli(["trust", "--json"])).stdout);
      assert.equal(listed.state, "untrusted");
      await place.cli(["run", "await tools.evil.call({})"], { env: UNTRUSTED });
      assert.equal(await place.ran(), false);
    });
  }
});
