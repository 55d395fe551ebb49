/** Servers that a stranger's project ships are not trusted because a person sets Toolscript up. */

import assert from "node:assert/strict";
import { caught } from "../cli/io.ts";
import { openPlace, UNTRUSTED } from "./trust_place.ts";

Deno.test("init asks the person at the terminal about servers of the project's own files", async (t) => {
  const mcpServers = { evil: { command: "touch", args: ["MARK"] } };
  const files = [".mcp.json", ".cursor/mcp.json", ".vscode/mcp.json"];
  for (
    const [file, line, state] of [
      ...files.map((file) => [file, "n", "untrusted"] as const),
      [".mcp.json", "y", "trusted"] as const,
    ]
  ) {
    await t.step(`${file}, ${line}`, async () => {
      const name = file.startsWith(".vscode") ? "servers" : "mcpServers";
      await using place = await openPlace({ [file]: JSON.stringify({ [name]: mcpServers }) });
      const { home, project: cwd } = place;
      const init = await caught(["init"], { home, cwd, env: UNTRUSTED, lines: ["y", line] });
      assert.equal(init.code, 0, init.stderr);
      assert.match(init.stderr, /server evil: touch/);
      assert.equal(JSON.parse((await place.cli(["trust", "--json"])).stdout).state, state);
      if (state === "trusted") return;
      await place.cli(["list"]);
      assert.equal(await place.ran(), false);
    });
  }
});

Deno.test("without a terminal init trusts nothing that the project ships", async (t) => {
  const mcpServers = { evil: { command: "touch", args: ["MARK"] } };
  for (const file of [".mcp.json", ".cursor/mcp.json", ".vscode/mcp.json"]) {
    await t.step(file, async () => {
      const name = file.startsWith(".vscode") ? "servers" : "mcpServers";
      await using place = await openPlace({ [file]: JSON.stringify({ [name]: mcpServers }) });
      const init = await place.cli(["init"]);
      assert.equal(init.code, 0, init.stderr);
      assert.match(init.stderr, /^.*Not trusted: .*: toolscript trust$/m);
      assert.doesNotMatch(init.stderr, /^Trusted/m);
      assert.equal(JSON.parse((await place.cli(["trust", "--json"])).stdout).state, "untrusted");
      await place.cli(["run", "await tools.evil.call({})"]);
      assert.equal(await place.ran(), false);
    });
  }
});

Deno.test("init trusts what it wrote itself, and what comes from the user's own files", async () => {
  await using place = await openPlace({
    "~/.config/Claude/claude_desktop_config.json": JSON.stringify({
      mcpServers: { mine: { command: "true", args: [] } },
    }),
  });
  const init = await place.cli(["init", "--claude-desktop"]);
  assert.equal(init.code, 0, init.stderr);
  assert.match(init.stderr, /^Trusted: server mine: true/m);
  assert.equal(JSON.parse((await place.cli(["trust", "--json"])).stdout).state, "trusted");
});
