/** `toolscript init` at a terminal: what it asks, and the tokens that it tells of. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { atTerminal } from "../support/terminal.ts";
import { pinnedCommand } from "../support/servers.ts";

Deno.test("init asks which servers it takes over, and tells of tokens before and after", async (t) => {
  const root = await Deno.realPath(await Deno.makeTempDir({ prefix: "toolscript-init-" }));
  const [home, cwd] = [join(root, "home"), join(root, "project")];
  try {
    await Deno.mkdir(home);
    await Deno.mkdir(join(cwd, ".cursor"), { recursive: true });
    const graph = { MEMORY_FILE_PATH: join(home, "graph.jsonl") };
    const memory = { ...pinnedCommand("memory"), env: graph };
    const other = { "bad\u001b[2Jname": { command: "no-such-program" } };
    await Deno.writeTextFile(
      join(cwd, ".cursor", "mcp.json"),
      JSON.stringify({ mcpServers: { memory } }),
    );
    await Deno.mkdir(join(cwd, ".vscode"));
    await Deno.writeTextFile(join(cwd, ".vscode", "mcp.json"), JSON.stringify({ servers: other }));
    const { code, screen } = await atTerminal(["init"], {
      home,
      cwd,
      env: { TOOLSCRIPT_TRUST: "" },
      typed: [
        { after: "Take over? [Y/n]", text: "\n" },
        { after: "Take over? [Y/n]", text: "n\n" },
        { after: "? [y/N]", text: "y\n" },
      ],
    });
    assert.equal(code, 0, screen);
    await t.step("a question for each file, with its servers", () => {
      assert.match(
        screen,
        /\.cursor\/mcp\.json:\r?\n {2}\| memory\r?\n1 server of \.cursor\/mcp\.json\. Take over\?/,
      );
      assert.match(
        screen,
        /\.vscode\/mcp\.json:\r?\n {2}\| "bad.*name"\r?\n1 server of .*\. Take over\?/,
      );
      assert.ok(!screen.includes("\u001b[2J"));
    });
    await t.step("only the servers of files with a yes", async () => {
      const text = await Deno.readTextFile(join(cwd, ".onetool", "onetool.yaml"));
      assert.match(text, /memory:/);
      assert.ok(!text.includes("no-such-program"));
    });
    await t.step("the way to what the tools do", () => {
      assert.match(screen, /See which of their tools only read: toolscript effects/);
    });
    await t.step("tokens before and after", () => {
      const [, before, tools, after] = /: (\d+) for (\d+) tools, now (\d+) for 2/.exec(screen) ??
        assert.fail(screen);
      assert.equal(Number(tools), 9);
      assert.ok(Number(before) > Number(after), screen);
      assert.ok(Number(after) > 0);
    });
  } finally {
    await Deno.remove(root, { recursive: true });
  }
});
