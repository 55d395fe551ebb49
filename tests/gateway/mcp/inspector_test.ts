/** The official inspector, from the command line, over both transports. */

import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import importMap from "../../../import_map.json" with { type: "json" };
import { openGateway } from "../../support/gateway.ts";
import { stdioCommand, stdioEnvironment } from "./clients.ts";

const CONFIG = fileURLToPath(new URL("../../../deno.json", import.meta.url));
const INSPECTOR = `${importMap.imports["@modelcontextprotocol/inspector"]}/inspector`;

Deno.test("the official inspector lists and calls run over both transports", async (t) => {
  await using gateway = await openGateway();
  const { command, args } = stdioCommand(["--private"]);
  const environment = stdioEnvironment(gateway);

  async function inspect(target: readonly string[], words: readonly string[]): Promise<unknown> {
    const flags = ["run", "-A", "--quiet", `--config=${CONFIG}`, INSPECTOR, "--cli"];
    const { stdout, stderr } = await new Deno.Command(Deno.execPath(), {
      args: [...flags, ...target, ...words],
      cwd: gateway.project,
      env: environment,
      stdin: "null",
      stdout: "piped",
      stderr: "piped",
    }).output();
    const text = new TextDecoder().decode(stdout);
    try {
      return JSON.parse(text);
    } catch (cause) {
      throw new Error(`${text}\n${new TextDecoder().decode(stderr)}`, { cause });
    }
  }

  const targets: Readonly<Record<string, readonly string[]>> = {
    http: [`${gateway.url}/mcp`, "--header", `Authorization: Bearer ${gateway.token}`],
    stdio: [command, ...args, "-e", `DENO_DIR=${environment.DENO_DIR}`],
  };
  for (const [name, target] of Object.entries(targets)) {
    await t.step(name, async () => {
      const listed = await inspect(target, ["--method", "tools/list"]);
      assert.match(JSON.stringify(listed), /"name":"run"/);
      const words = ["--method", "tools/call", "--tool-name", "run"];
      const called = await inspect(target, [...words, "--tool-arg", "command=20 + 3"]);
      assert.match(JSON.stringify(called), /"text":"23"/);
    });
  }
});
