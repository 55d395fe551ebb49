/** OT-15 to OT-21: what `ot.stats` tells of runs and calls, through every way that calls come. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import type { JsonObject } from "#base";
import { newClient, overStdio } from "../gateway/mcp/clients.ts";
import { openGateway, type TestGateway } from "../support/gateway.ts";
import { pinnedCommand } from "../support/servers.ts";
import { statsFolder } from "../support/stats.ts";

interface Tool {
  readonly tool: string;
  readonly calls: number;
  readonly success_rate: number;
  readonly bytes_in: number;
  readonly bytes_out: number;
  readonly context_saved: number;
}
interface Stats {
  readonly total_calls: number;
  readonly success_rate: number;
  readonly context_saved: number;
  readonly time_saved_ms: number;
  readonly runs: { readonly total: number };
  readonly savings: { readonly schemas: number; readonly measured: number };
  readonly tools: readonly Tool[];
  readonly errors: readonly JsonObject[];
  readonly clients: readonly {
    readonly client: string;
    readonly runs: number;
    readonly calls: number;
  }[];
  readonly html_report?: string;
}

async function send(
  gateway: TestGateway,
  command: string,
  agent = "probe/1",
): Promise<{ ok: boolean; text: string; value: unknown }> {
  return await (await gateway.post("/run", { command }, { "user-agent": agent })).json();
}

async function stats(gateway: TestGateway, args = ""): Promise<Stats> {
  const { text, value } = await send(gateway, `ot.stats(${args})`);
  assert.equal(typeof value, "object", text);
  return value as Stats;
}

Deno.test("OT-15 to OT-21 statistics of a gateway", async (t) => {
  await using gateway = await openGateway({
    servers: { everything: pinnedCommand("everything") },
    direct: ["everything.echo"],
    alias: { say: "everything.echo" },
    snippets: {
      twice: { params: { m: {} }, body: 'snippets.once(m="{{ m }}")' },
      once: { params: { m: {} }, body: 'everything.echo(message="{{ m }}")' },
    },
  });
  await gateway.ready();

  await t.step("OT-15 all that was called, in runs and outside", async () => {
    await send(gateway, 'a = everything.echo(message="x".repeat(5000))\nb = say(message="ho")\n1');
    await send(gateway, 'snippets.twice({m: "deep"})');
    await gateway.post("/tools/everything__echo", { message: "direct" }, {
      "user-agent": "hand/2",
    });
    await gateway.post("/tools/everything__echo", { wrong: 1 });
    const all = await stats(gateway);
    const echo = all.tools.find(({ tool }) => tool === "everything.echo");
    assert.deepEqual([echo?.calls, echo?.success_rate], [5, 80]);
    assert.equal(all.tools.find(({ tool }) => tool === "snippets.twice")?.calls, 1);
    assert.equal(all.total_calls, 7);
    assert.equal(all.success_rate, 85.7);
    assert.deepEqual(all.errors, [{ code: "invalid_arguments", count: 1 }]);
    assert.equal(all.runs.total, 2, "the snippet's own run is a part of another");
    assert.ok(Number.isInteger(all.time_saved_ms));
    assert.ok(all.savings.schemas > 500, "the definitions of the server's tools");
    assert.ok(all.context_saved > all.savings.schemas, "5000 characters stayed out of the reply");
    assert.ok((echo?.context_saved ?? 0) > 300);
    assert.ok(all.savings.measured > 0.5, "tokens were counted");
    assert.ok(all.clients.some(({ client, runs }) => client === "probe/1" && runs === 2));
    assert.ok(all.clients.some(({ client, calls }) => client === "hand/2" && calls === 1));
  });

  await t.step("OT-15 calls of an MCP client, by its name", async () => {
    const client = new Client({ name: "desk", version: "1" });
    const headers = { authorization: `Bearer ${gateway.token}` };
    const url = new URL(`${gateway.url}/mcp`);
    await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }));
    await client.callTool({
      name: "run",
      arguments: { command: 'everything.echo(message="a")' },
    });
    await client.callTool({ name: "echo", arguments: { message: "b" } });
    await client.close();
    const { clients } = await stats(gateway);
    assert.deepEqual(clients.find(({ client }) => client === "desk"), {
      client: "desk",
      runs: 1,
      calls: 2,
    });
  });

  await t.step("OT-15 calls through `toolscript mcp`, by its client's name", async () => {
    await using connected = await overStdio(gateway, newClient("legacy"));
    await connected.client.callTool({
      name: "run",
      arguments: { command: 'everything.echo(message="a")' },
    });
    const { clients } = await stats(gateway);
    assert.equal(clients.find(({ client }) => client === "test")?.runs, 1);
  });

  await t.step("OT-16 a period", async () => {
    const all = await stats(gateway);
    for (const period of ["day", "week", "month", "all"]) {
      const some = await stats(gateway, `period="${period}"`);
      assert.ok(some.total_calls >= all.total_calls, period);
    }
  });

  await t.step("OT-17 one tool, however its name is spelt", async () => {
    for (const name of ["everything.echo", "everything__echo", "say"]) {
      const one = await stats(gateway, `tool="${name}"`);
      assert.deepEqual(one.tools.map(({ tool }) => tool), ["everything.echo"], name);
      assert.equal(one.total_calls, one.tools[0]?.calls);
    }
    assert.equal((await stats(gateway, 'tool="no.such"')).total_calls, 0);
  });

  await t.step("OT-18 an HTML report in the project", async () => {
    const { html_report: path } = await stats(gateway, 'output="stats.html"');
    assert.equal(path, join(await Deno.realPath(gateway.project), "stats.html"));
    const page = await Deno.readTextFile(path);
    assert.match(page, /^<!DOCTYPE html>[^]*everything\.echo[^]*<\/html>\s*$/);
  });

  await t.step("OT-20 a path that cannot be written to", async () => {
    await Deno.mkdir(join(gateway.project, "folder.html"));
    await Deno.symlink("/tmp", join(gateway.project, "out"));
    const rows = {
      "none/report.html": "there is no such folder",
      "/nowhere/to/be/found.html": "it is outside the project",
      "../report.html": "it is outside the project",
      "out/report.html": "it is outside the project",
      "folder.html": "it is a folder",
      ".onetool/onetool.yaml": "its name must end in .html",
    };
    for (const [path, reason] of Object.entries(rows)) {
      const { ok, text } = await send(gateway, `ot.stats(output="${path}")`);
      assert.equal(text, `Error: Cannot write to '${path}': ${reason}`);
      assert.ok(ok);
    }
    const names = await Array.fromAsync(Deno.readDir(gateway.project), ({ name }) => name);
    assert.deepEqual(names.sort(), [".onetool", "folder.html", "out", "stats.html"]);
  });

  await t.step("OT-21 an invalid period", async () => {
    const { text } = await send(gateway, 'ot.stats(period="invalid")');
    assert.equal(
      text,
      "Error: Invalid period 'invalid'. Valid: day, week, month, all. " +
        "Example: ot.stats(period='day')",
    );
  });

  await t.step("OT-15 all of it is there after the end", async () => {
    const before = await stats(gateway);
    await gateway.close();
    const { createStatsReader } = await import("#runtime/stats");
    const folder = statsFolder(gateway);
    const options = { folder, now: Date.now, keepMs: () => Infinity, log: () => {} };
    await using reader = createStatsReader(options);
    const after = await reader.read({ period: "all" });
    assert.equal(after.total_calls, before.total_calls + 1, "that of ot.stats itself");
    for (const name of [".", "stats.db"]) {
      const { mode } = await Deno.stat(join(folder, name));
      assert.equal((mode ?? 0) & 0o077, 0, name);
    }
  });
});

Deno.test("OT-19 with statistics switched off nothing is recorded", async () => {
  await using gateway = await openGateway({ stats: { enabled: false } });
  const { text } = await send(gateway, "ot.stats()");
  assert.match(text, /^Error: Statistics are disabled\. .*stats\.enabled/);
  await gateway.close();
  await assert.rejects(Deno.stat(statsFolder(gateway)), Deno.errors.NotFound);
});
