/** The figures of a session in the README: they are those of the session itself. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { cli } from "../support/cli.ts";
import { pinnedCommand } from "../support/servers.ts";
import { atTerminal } from "../support/terminal.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const TELLS = /: (?<before>\d+) for (?<tools>\d+) tools, now (?<after>\d+) for (?<own>\d+)/;

Deno.test("the README shows the tools, tokens and calls of a real session", async () => {
  const root = await Deno.realPath(await Deno.makeTempDir({ prefix: "toolscript-session-" }));
  const [home, cwd] = [join(root, "home"), join(root, "project")];
  try {
    await Deno.mkdir(home);
    await Deno.mkdir(cwd);
    const mcpServers = {
      filesystem: pinnedCommand("filesystem", [join(ROOT, "examples", "notes")]),
      memory: { ...pinnedCommand("memory"), env: { MEMORY_FILE_PATH: join(home, "graph.jsonl") } },
    };
    await Deno.writeTextFile(join(cwd, ".mcp.json"), JSON.stringify({ mcpServers }));
    const typed = [
      { after: "Take over? [Y/n]", text: "y\n" },
      { after: "? [y/N]", text: "y\n" },
    ];
    const env = { TOOLSCRIPT_TRUST: "" };
    const { screen } = await atTerminal(["init"], { home, cwd, env, typed });
    const { before = "", tools, after = "", own } = TELLS.exec(screen)?.groups ??
      assert.fail(screen);
    const script = join(ROOT, "examples", "knowledge.ts");
    const words = ["--json", "exec", script, join(ROOT, "examples", "notes")];
    const done = await cli(words, { home, cwd });
    assert.equal(done.code, 0, done.stderr);
    const { calls } = JSON.parse(done.stdout);

    const page = await Deno.readTextFile(join(ROOT, "README.md"));
    const row = (name: string) => {
      const [, without, withIt] =
        new RegExp(`^\\| ${name} +\\| *(\\S.*?) *\\| *(\\S.*?) *\\|$`, "m")
          .exec(page) ?? assert.fail(name);
      return [without, withIt];
    };
    assert.deepEqual(row("tools in its context"), [tools, own]);
    assert.deepEqual(row("calls that it makes"), [String(calls), "1"]);
    const [without, limit = ""] = row("their tokens");
    assert.equal(without, Number(before).toLocaleString("en"));
    const most = Number(/^under (\d+)$/.exec(limit)?.[1]);
    assert.ok(Number(after) < most && Number(after) > most - 150, `${after}, not ${limit}`);
  } finally {
    await Deno.remove(root, { recursive: true });
  }
});
