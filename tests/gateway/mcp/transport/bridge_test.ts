/** Bridge of the npm package between a client and its gateway, in Node alone. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { findGateways } from "#gateway/running";
import { cli } from "../../../support/cli.ts";
import { delay } from "../../../support/gateway.ts";
import { pinnedCommand } from "../../../support/servers.ts";
import {
  bridgeOver,
  ERAS,
  INITIALIZE,
  mcpCommand,
  newClient,
  stdioEnvironment,
  type TestClient,
  textOf,
  type Way,
  WAYS,
} from "../clients.ts";

interface Stage extends AsyncDisposable {
  readonly home: string;
  /** Adds a project with this configuration. */
  project(config: Record<string, unknown>): Promise<string>;
  connect(client: TestClient["client"], project: string, way?: Way): Promise<Connected>;
}

interface Connected extends TestClient {
  readonly pid: number;
}

async function openStage(): Promise<Stage> {
  const root = await Deno.realPath(await Deno.makeTempDir({ prefix: "toolscript-bridge-" }));
  const home = join(root, "home");
  await Deno.mkdir(home);
  let count = 0;
  return {
    home,
    async project(config) {
      const project = join(root, `project-${++count}`);
      await Deno.mkdir(join(project, ".onetool"), { recursive: true });
      const text = JSON.stringify({ gateway: { linger: 1 }, ...config });
      await Deno.writeTextFile(join(project, ".onetool", "onetool.yaml"), text);
      return project;
    },
    async connect(client, project, way = "node") {
      const transport = new StdioClientTransport({
        ...await mcpCommand(way),
        cwd: project,
        env: stdioEnvironment({ home }),
        stderr: "ignore",
      });
      await client.connect(transport);
      return {
        client,
        pid: transport.pid ?? 0,
        [Symbol.asyncDispose]: () => client.close(),
      };
    },
    async [Symbol.asyncDispose]() {
      await cli(["gateway", "stop", "--all"], { home, cwd: root });
      await Deno.remove(root, { recursive: true });
    },
  };
}

Deno.test("the first requests are answered where nothing else ever starts", async () => {
  const child = (await bridgeOver(["node", "-e", "setTimeout(() => {}, 600_000)"])).spawn();
  const writer = child.stdin.getWriter();
  const requests = [["initialize", INITIALIZE], ["ping", {}], ["tools/list", {}]] as const;
  for (const [id, [method, params]] of requests.entries()) {
    const line = JSON.stringify({ jsonrpc: "2.0", id, method, params });
    await writer.write(new TextEncoder().encode(`${line}\n`));
  }
  const results = new Map<number, Record<string, unknown>>();
  let rest = "";
  for await (const text of child.stdout.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) results.set(JSON.parse(line).id, JSON.parse(line).result);
    if (results.size === requests.length) await writer.close().catch(() => {});
  }
  assert.equal((await child.status).code, 0);
  const [hello, pong, list] = [results.get(0), results.get(1), results.get(2)];
  assert.equal(hello?.protocolVersion, INITIALIZE.protocolVersion);
  assert.match(String(hello?.instructions), /Packs: data; .*`ot\.packs\(\)` lists those/);
  assert.deepEqual(pong, {});
  const { tools } = list as { tools: { name: string }[] };
  assert.deepEqual(tools.map(({ name }) => name), ["run", "look"]);
});

for (const way of WAYS) {
  Deno.test(`a first call hears that it waits for the gateway, by ${way}`, async () => {
    await using stage = await openStage();
    const project = await stage.project({});
    await using connection = await stage.connect(newClient("legacy"), project, way);
    const heard: unknown[] = [];
    const params = { name: "run", arguments: { command: "1 + 1" } };
    const result = await connection.client.callTool(params, {
      onprogress: ({ progress, message }) => heard.push([progress, message]),
    });
    assert.equal(textOf(result), "2");
    assert.deepEqual(heard[0], [0, "Starting the gateway"]);
    assert.deepEqual(heard.at(-1), [1, "Started"]);
  });
}

for (const era of ERAS) {
  Deno.test(`clients of the ${era} era in two projects have their own servers behind them`, async (t) => {
    await using stage = await openStage();
    const everything = { servers: { everything: pinnedCommand("everything") } };
    const project = await stage.project({ ...everything, direct: ["everything"] });
    const other = await stage.project({ servers: { memory: pinnedCommand("memory") } });
    const client = newClient(era, { capabilities: { elicitation: { form: {} }, sampling: {} } });
    client.setRequestHandler("elicitation/create", () => ({ action: "decline" }));
    client.setRequestHandler("sampling/createMessage", () => ({
      role: "assistant",
      model: "test",
      content: { type: "text", text: "sampled" },
    }));
    await using _one = await stage.connect(client, project);
    await using two = await stage.connect(newClient(era), other);
    await t.step("each works in its project", async () => {
      for (const [each, folder] of [[client, project], [two.client, other]] as const) {
        const params = { name: "run", arguments: { command: "Deno.cwd()" } };
        assert.equal(textOf(await each.callTool(params)), folder);
      }
      const projects = (await findGateways(stage.home)).map((gateway) => gateway.project);
      assert.deepEqual(projects.sort(), [project, other].sort());
    });
    await t.step("direct tools, resources and prompts", async () => {
      const { tools } = await client.listTools();
      assert.ok(tools.some(({ name }) => name === "run") && tools.length > 3);
      assert.ok((await client.listPrompts()).prompts.length > 0);
      assert.ok((await client.listResources()).resources.length > 0);
    });
    await t.step("elicitation and sampling", async () => {
      const elicit = { name: "trigger-elicitation-request", arguments: {} };
      assert.match(textOf(await client.callTool(elicit)), /declined/);
      const sample = { name: "trigger-sampling-request", arguments: { prompt: "x" } };
      assert.match(textOf(await client.callTool(sample)), /sampled/);
      const command = "everything.triggerSamplingRequest(prompt='x')";
      const result = await client.callTool({ name: "run", arguments: { command } });
      assert.match(textOf(result), /sampled/);
    });
    await t.step("a killed gateway is replaced, and other tools are reported", async () => {
      const changed = Promise.withResolvers<void>();
      client.setNotificationHandler("notifications/tools/list_changed", () => changed.resolve());
      if (era === "modern") await client.listen({ toolsListChanged: true });
      const gateways = await findGateways(stage.home);
      const killed = gateways.find((gateway) => gateway.project === project);
      Deno.kill(killed?.pid ?? 0, "SIGKILL");
      const echo = { name: "echo", arguments: { message: "again" } };
      const first = await client.callTool(echo);
      // The bridge may not have seen the end of the gateway before the call.
      const result = first.isError ? await client.callTool(echo) : first;
      assert.match(textOf(result), /again/);
      await changed.promise;
    });
  });
}

Deno.test("requests before the end of stdin are answered, and then the bridge ends", async () => {
  await using stage = await openStage();
  const project = await stage.project({});
  const { command, args } = await mcpCommand("node");
  const child = new Deno.Command(command, {
    args,
    cwd: project,
    env: stdioEnvironment(stage),
    stdin: "piped",
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  const call = { name: "run", arguments: { command: "6 * 7" } };
  const lines = [
    { jsonrpc: "2.0", id: 1, method: "initialize", params: INITIALIZE },
    { jsonrpc: "2.0", method: "notifications/initialized" },
    { jsonrpc: "2.0", id: 2, method: "tools/call", params: call },
    { jsonrpc: "2.0", id: 3, method: "nonsense" },
  ].map((message) => `${JSON.stringify(message)}\n`);
  await new Blob([...lines, "rubbish\n"]).stream().pipeTo(child.stdin);
  const [{ code }, stdout] = await Promise.all([child.status, new Response(child.stdout).text()]);
  const answers = stdout.trim().split("\n").map((line) => JSON.parse(line))
    .filter(({ id }) => id !== undefined).sort((one, other) => one.id - other.id);
  assert.equal(code, 0);
  assert.deepEqual(answers.map(({ id }) => id), [1, 2, 3]);
  assert.equal(answers[0].result.serverInfo.name, "toolscript");
  assert.equal(answers[1].result.content[0].text, "42");
  assert.equal(answers[2].error.code, -32601);
});

Deno.test("a configuration that does not parse ends the bridge with its exit code", async () => {
  await using stage = await openStage();
  const project = await stage.project({ gateway: { linger: "long" } });
  const { command, args } = await mcpCommand("node");
  const child = new Deno.Command(command, {
    args,
    cwd: project,
    env: stdioEnvironment(stage),
    stdin: "piped",
    stdout: "null",
    stderr: "piped",
  }).spawn();
  const [{ code }, stderr] = await Promise.all([child.status, new Response(child.stderr).text()]);
  await child.stdin.close().catch(() => {}); // it has ended
  assert.equal(code, 2);
  assert.match(stderr, /gateway\.linger/);
});

Deno.test("a call that was cancelled while it waits does not run", async () => {
  await using stage = await openStage();
  const project = await stage.project({});
  await using connection = await stage.connect(newClient("legacy"), project);
  const { client } = connection;
  const file = "file.write(path='made.txt', content='x')";
  const leaving = new AbortController();
  const params = { name: "run", arguments: { command: file } };
  const call = client.callTool(params, { signal: leaving.signal });
  leaving.abort(new Error("no longer wanted"));
  await assert.rejects(call, /no longer wanted/);
  assert.equal(textOf(await client.callTool({ name: "run", arguments: { command: "2" } })), "2");
  await assert.rejects(Deno.stat(join(project, "made.txt")), Deno.errors.NotFound);
});

Deno.test("SIGTERM ends the bridge, and its gateway soon after", async () => {
  await using stage = await openStage();
  const project = await stage.project({});
  const connection = await stage.connect(newClient("legacy"), project);
  await connection.client.callTool({ name: "run", arguments: { command: "1" } });
  const [gateway] = await findGateways(stage.home);
  const environment = await Deno.readTextFile(`/proc/${connection.pid}/environ`);
  const command = await Deno.readTextFile(`/proc/${connection.pid}/cmdline`);
  assert.ok(gateway && !(environment + command).includes(gateway.token));
  Deno.kill(connection.pid, "SIGTERM");
  for (let tries = 0; (await findGateways(stage.home)).length > 0; tries++) {
    assert.ok(tries < 600, "the gateway is left");
    await delay(100);
  }
  await connection.client.close();
});

Deno.test("a message that is too long ends the bridge with a warning", async () => {
  await using stage = await openStage();
  const project = await stage.project({ gateway: { max_body_mb: 1, linger: 1 } });
  const { command, args } = await mcpCommand("node");
  const child = new Deno.Command(command, {
    args,
    cwd: project,
    env: stdioEnvironment(stage),
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const writer = child.stdin.getWriter();
  const hello = { jsonrpc: "2.0", id: 1, method: "initialize", params: INITIALIZE };
  await writer.write(new TextEncoder().encode(`${JSON.stringify(hello)}\n`));
  const reader = child.stdout.getReader();
  await reader.read(); // the limit of the project is known with the answer
  await writer.write(new Uint8Array(2_000_000).fill(120)).catch(() => {});
  reader.releaseLock();
  const [{ code }, stderr] = await Promise.all([
    child.status,
    new Response(child.stderr).text(),
    child.stdout.cancel(),
  ]);
  await writer.abort().catch(() => {});
  assert.equal(code, 0);
  assert.match(stderr, /Warning: Cannot read a message: it has more than 1048576 bytes/);
});

Deno.test("eight clients take little more memory than one", async () => {
  const isMeasured = await Deno.stat("/proc/self/smaps_rollup").then(() => true, () => false);
  if (!isMeasured) return;
  await using stage = await openStage();
  const project = await stage.project({});
  await using clients = new AsyncDisposableStack();
  const shares: number[] = [];
  let alone = 0;
  for (let count = 1; count <= 8; count++) {
    const { client, pid } = clients.use(await stage.connect(newClient("legacy"), project));
    await client.callTool({ name: "run", arguments: { command: "1" } });
    shares.push(pid);
    alone = await kilobytes(pid, "Rss"); // what one alone shares with nobody
  }
  const [gateway] = await findGateways(stage.home);
  const common = await kilobytes(gateway?.pid ?? 0, "Pss");
  const each = await Promise.all(shares.map((pid) => kilobytes(pid, "Pss")));
  const eight = each.reduce((sum, size) => sum + size, common);
  const one = common + alone;
  assert.ok(eight <= 1.6 * one, `${eight} kB for eight, ${one} kB for one`);
});

/** Memory of a process, of shared pages all (`Rss`) or its part (`Pss`). */
async function kilobytes(pid: number, name: "Rss" | "Pss"): Promise<number> {
  const text = await Deno.readTextFile(`/proc/${pid}/smaps_rollup`);
  return Number(new RegExp(`^${name}:\\s+(\\d+)`, "m").exec(text)?.[1]);
}
