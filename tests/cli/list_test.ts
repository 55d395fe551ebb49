import assert from "node:assert/strict";
import { join } from "node:path";
import { openGateway } from "../support/gateway.ts";
import { pinnedCommand } from "../support/servers.ts";
import { caught } from "./io.ts";

Deno.test("list and types show the tools of every server", async (t) => {
  await using gateway = await openGateway({ servers: { memory: pinnedCommand("memory") } });
  const env = { TOOLSCRIPT_GATEWAY_URL: gateway.url, TOOLSCRIPT_TOKEN: gateway.token };
  const at = { home: gateway.home, cwd: gateway.project, env };

  await t.step("list --json", async () => {
    const { code, stdout } = await caught(["list", "--json"], at);
    const tools = JSON.parse(stdout);
    assert.equal(code, 0);
    const tool = tools.find(({ name }: { name: string }) => name === "memory.read_graph");
    assert.deepEqual(Object.keys(tool), ["name", "server", "description", "source"]);
    assert.deepEqual([tool.server, tool.source], ["memory", "proxy:memory"]);
  });
  await t.step("list for a person", async () => {
    const { stdout } = await caught(["list", "memory"], at);
    assert.match(stdout, /^memory\.read_graph\s+Read the entire knowledge graph$/m);
  });
  await t.step("a server that is not there", async () => {
    const { code, stdout, stderr } = await caught(["list", "memry"], at);
    assert.deepEqual([code, stdout], [3, ""]);
    assert.match(stderr, /no such server: did you mean "memory"\?/);
  });
  await t.step("types", async () => {
    const { code, stdout } = await caught(["types", "--filter", "memory"], at);
    assert.equal(code, 0);
    assert.match(stdout, /export const tools/);
    const written = await caught(["types", "--out", "t.ts"], at);
    assert.deepEqual([written.code, written.stdout], [0, ""]);
    const text = await Deno.readTextFile(join(gateway.project, "t.ts"));
    assert.match(text, /export const tools/);
  });
});
