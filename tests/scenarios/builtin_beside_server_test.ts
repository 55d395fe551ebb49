/** A built-in pack beside a configured server that does the same. */

import assert from "node:assert/strict";
import { newClient, overHttp } from "../gateway/mcp/clients.ts";
import { send } from "../support/commands.ts";
import { openGateway, type TestGateway } from "../support/gateway.ts";
import { pinnedCommand } from "../support/servers.ts";

const SERVERS = { filesystem: pinnedCommand("filesystem", ["."]) };

async function namesIn(gateway: TestGateway): Promise<{ search: string[]; packs: string }> {
  const response = await gateway.fetch("/search?q=read+a+file&limit=20");
  const { results } = await response.json() as { results: { name: string }[] };
  await using opened = await overHttp(gateway, newClient("modern"));
  const [, packs = ""] = /Packs: (.*)\./.exec(opened.client.getInstructions() ?? "") ?? [];
  return { search: results.map(({ name }) => name), packs };
}

Deno.test("a built-in pack stands back while a connected server does the same", async (t) => {
  await using gateway = await openGateway({ servers: SERVERS });
  await gateway.ready();
  await t.step("it is neither in the instructions nor in search", async () => {
    const { search, packs } = await namesIn(gateway);
    assert.ok(!search.some((name) => name === "file" || name.startsWith("file.")), String(search));
    assert.ok(search.includes("filesystem.read_text_file"), String(search));
    assert.match(packs, /filesystem/);
    assert.ok(!/(^|; )file[:;]/.test(packs), packs);
    assert.match(packs, /; grep: /);
  });
  await t.step("it stays callable, and its help says so", async () => {
    const { value, ok, text } = await send(gateway, 'file.write(path="a.txt", text="tea").path');
    assert.ok(ok, text);
    assert.equal(value, "a.txt");
    for (const query of ["file", "file.write"]) {
      const help = await send(gateway, `ot.help("${query}")`);
      assert.match(help.text, /^The configured server "filesystem" does this too: /m);
    }
    assert.ok(!(await send(gateway, 'ot.help("grep")')).text.includes("does this too"));
  });
});

Deno.test("a built-in pack that is switched on stays in instructions and search", async () => {
  await using gateway = await openGateway({
    servers: SERVERS,
    packs: { file: { enabled: true }, git: { enabled: false } },
  });
  await gateway.ready();
  const { search, packs } = await namesIn(gateway);
  assert.ok(search.some((name) => name.startsWith("file.")), String(search));
  assert.match(packs, /; file[:;]/);
  assert.ok(!/(^|; )git[:;]/.test(packs), packs);
});

Deno.test("a built-in pack in the mode auto is there without such a server", async () => {
  await using gateway = await openGateway({
    servers: { filesystem: { command: "/nowhere/to/be/found" } },
    packs: { file: { enabled: "auto" } },
  });
  await gateway.ready();
  const { search, packs } = await namesIn(gateway);
  assert.ok(search.some((name) => name.startsWith("file.")), String(search));
  assert.match(packs, /; file[:;]/);
});
