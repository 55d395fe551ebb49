/** Commands that a message proposes hold the names of a stranger's folders as words, never as code. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { attempt } from "#base";
import { openPlace } from "./trust_place.ts";

const FOLDER = "$(touch ran)'\"`touch ran`";
const SECRETS = `${FOLDER}/.onetool/secrets.yaml`;
const MCP = '{"mcpServers":{"a":{"command":"x","env":{"A_TOKEN":"sk_live"}}}}';

function run(program: string, args: readonly string[], cwd: string): string {
  const { stdout } = new Deno.Command(program, { args: [...args], cwd }).outputSync();
  return new TextDecoder().decode(stdout).trim();
}

Deno.test("commands that init proposes hold names of folders as single words", async (t) => {
  const rows = [[0o600, "git rm --cached"], [0o644, "chmod 600"]] as const;
  for (const [mode, expected] of rows) {
    await t.step(expected, async () => {
      await using place = await openPlace({ [`${FOLDER}/.mcp.json`]: MCP, [SECRETS]: "" });
      const { project } = place;
      Deno.chmodSync(join(project, SECRETS), mode);
      run("git", ["init", "-q"], project);
      run("git", ["add", "-f", SECRETS], project);
      const { stderr } = await place.caught(["init"], { cwd: join(project, FOLDER) });
      const [, command = ""] = /(?:tracks it|read it): (.*?)(?:, in .*)?$/m.exec(stderr) ?? [];
      assert.ok(command.startsWith(`${expected} `), stderr);
      const words = run("sh", ["-c", `printf '%s\\n' ${command}`], project).split("\n");
      assert.deepEqual(words, [...expected.split(" "), join(project, SECRETS)]);
      assert.equal(attempt(() => Deno.lstatSync(join(project, "ran"))), undefined);
    });
  }
});
