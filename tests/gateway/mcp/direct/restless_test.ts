/** Servers whose lists of tools do not end hold up no list, and no tool of another server. */

import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { openGateway } from "../../../support/gateway.ts";
import { stdioServer } from "../../../support/servers.ts";
import { startPack } from "../../../packs/mcp/harness.ts";
import { ERAS, newClient, overHttp, textOf } from "../clients.ts";

const FIXTURE = fileURLToPath(
  new URL("../../../fixtures/mcp/restless_server.ts", import.meta.url),
);

function command(kind: string) {
  const args = ["run", "--quiet", "--no-check", "--no-config", FIXTURE, kind];
  return { command: Deno.execPath(), args };
}

for (const era of ERAS) {
  for (const kind of ["changing", "silent"]) {
    Deno.test(`a ${kind} server holds up no direct tool of a client of the ${era} era`, async () => {
      await using gateway = await openGateway({
        servers: { plain: command("plain"), other: command(kind) },
        direct: ["plain", "other"],
      });
      await using connection = await overHttp(gateway, newClient(era));
      const { client } = connection;
      const names = (await client.listTools()).tools.map(({ name }) => name);
      assert.ok(names.includes("run") && names.includes("ping"), names.join());
      if (kind === "silent") {
        const { servers } = await (await gateway.fetch("/status")).json();
        assert.equal(servers.other.status, "connecting");
      }
      assert.equal(textOf(await client.callTool({ name: "ping", arguments: {} })), "pong");
    });
  }
}

Deno.test("GET /tools answers beside a server whose list changes during each reading", async () => {
  await using gateway = await openGateway({ servers: { other: command("changing") } });
  const tools = await (await gateway.fetch("/tools")).json() as { readonly name: string }[];
  assert.ok(tools.some(({ name }) => name === "other.ping"));
  const { servers } = await (await gateway.fetch("/status")).json();
  assert.equal(servers.other.status, "connected");
});

Deno.test("all pages of a list have the time of one", async () => {
  const server = stdioServer({ name: "endless", ...command("endless") });
  await using harness = await startPack(server, { connectTimeoutMs: 2_000 });
  const { state, error } = harness.pack.status();
  assert.notEqual(state, "connected");
  assert.match(String(error), /time/);
});
