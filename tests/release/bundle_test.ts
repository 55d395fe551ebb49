/** The bundle of `deno task package --bundle`, from its unpacking by Claude Desktop to an answer. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { built } from "./built.ts";
import { assertGreets, environmentOf, expand, openPlace } from "./greet.ts";

/** The program that made the format: it checks and unpacks as Claude Desktop does. */
const MCPB = "@anthropic-ai/mcpb@2.1.2";

Deno.test("the bundle is valid, and its entry point works once it is unpacked", async (t) => {
  await using place = await openPlace();
  const { cwd, home, away } = place;
  const env = environmentOf(home);
  const call = async (command: string, args: readonly string[], options: object = {}) => {
    const child = new Deno.Command(command, { args: [...args], cwd: away, env, ...options });
    const { code, stdout, stderr } = await child.output();
    const text = new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr);
    assert.equal(code, 0, text);
    return text;
  };
  const file = await built(".mcpb");
  const unpacked = join(away, "unpacked");

  await t.step("the format's own program takes it", async () => {
    await call("npx", ["-y", MCPB, "unpack", file, unpacked]);
    const text = await call("npx", ["-y", MCPB, "validate", join(unpacked, "manifest.json")]);
    assert.match(text, /Manifest schema validation passes/i);
  });
  await t.step(
    "its entry starts, with Node alone, in the project that the person chose",
    async () => {
      const manifest = JSON.parse(await Deno.readTextFile(join(unpacked, "manifest.json")));
      assert.ok(await Deno.stat(join(unpacked, manifest.server.entry_point)));
      const values = { __dirname: unpacked, "user_config.project": cwd };
      const entry = expand(manifest.server.mcp_config, values);
      const alone = { PATH: "/usr/bin:/bin", HOME: home, TOOLSCRIPT_TRUST: "all" };
      const command = (await call("node", ["-p", "process.execPath"])).trim();
      const started = { cwd: "/", env: alone, run: 'words.loud(text="hi")' };
      assert.match(await assertGreets({ ...entry, command }, started), /HI/);
    },
  );
});
