/** One gateway for all clients of a project: who starts it, how long it lives, what its end means. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { findGateways, type RunFile } from "#gateway/running";
import { cli } from "../../../support/cli.ts";
import { delay } from "../../../support/gateway.ts";
import { fixture } from "../../../support/servers.ts";
import { mcpCommand, newClient, stdioEnvironment, textOf, type Way, WAYS } from "../clients.ts";

interface Stage extends AsyncDisposable {
  readonly home: string;
  readonly project: string;
  /** Starts `toolscript mcp`. */
  connect(options?: ConnectOptions): Promise<Connection>;
  gateways(): Promise<RunFile[]>;
  /** Resolves when the gateways are as they should be; throws after a minute. */
  until(test: (gateways: RunFile[]) => boolean): Promise<RunFile[]>;
}

interface ConnectOptions {
  readonly args?: readonly string[];
  readonly env?: Record<string, string>;
  readonly cwd?: string;
}

interface Connection extends AsyncDisposable {
  readonly pid: number;
  run(command: string, onProgress?: (message: string) => void): Promise<RunResult>;
}

interface RunResult {
  readonly text: string;
  readonly isError: boolean;
  readonly meta: Readonly<Record<string, unknown>>;
}

async function openStage(way: Way, gateway: Record<string, unknown> = {}): Promise<Stage> {
  const root = await Deno.realPath(await Deno.makeTempDir({ prefix: "toolscript-shared-" }));
  const [home, project] = [join(root, "home"), join(root, "project")];
  await Deno.mkdir(join(project, ".onetool"), { recursive: true });
  await Deno.mkdir(join(project, "below"));
  await Deno.mkdir(home);
  const { command, args } = fixture("good");
  const server = { command, args, env: { VALUE: "${SHARED_VALUE:-none}" } };
  const config = { servers: { slow: server }, gateway: { linger: 1, ...gateway } };
  await Deno.writeTextFile(join(project, ".onetool", "onetool.yaml"), JSON.stringify(config));
  const gateways = () => findGateways(home);
  const stage: Stage = {
    home,
    project,
    gateways,
    async connect({ args = [], env = {}, cwd = project } = {}) {
      const client = newClient("legacy");
      const transport = new StdioClientTransport({
        ...await mcpCommand(way, args),
        cwd,
        env: { ...stdioEnvironment({ home }), ...env },
        stderr: "ignore",
      });
      await client.connect(transport);
      return {
        pid: transport.pid ?? 0,
        async run(command, onProgress) {
          const result = await client.callTool({ name: "run", arguments: { command } }, {
            onprogress: ({ message }) => onProgress?.(message ?? ""),
          });
          return {
            text: textOf(result),
            isError: result.isError === true,
            meta: result._meta ?? {},
          };
        },
        [Symbol.asyncDispose]: () => client.close(),
      };
    },
    async until(test) {
      for (let tries = 0; tries < 600; tries++) {
        const list = await gateways();
        if (test(list)) return list;
        await delay(100);
      }
      throw new Error(`Still ${JSON.stringify(await gateways())}`);
    },
    async [Symbol.asyncDispose]() {
      await cli(["gateway", "stop", "--all"], { home, cwd: project });
      await stage.until((list) => list.length === 0);
      await Deno.remove(root, { recursive: true });
    },
  };
  return stage;
}

/** Tests both ways from a client to its gateway. */
function test(name: string, action: (way: Way) => Promise<void>): void {
  for (const way of WAYS) Deno.test(`${name}, by ${way}`, () => action(way));
}

test("clients that start at the same moment make one gateway, which ends after the last of them", async (way) => {
  await using stage = await openStage(way);
  const clients = await Promise.all(Array.from({ length: 10 }, () => stage.connect()));
  const results = await Promise.all(clients.map((client) => client.run("1 + 1")));
  assert.deepEqual(results.map(({ text }) => text), Array(10).fill("2"));
  const [gateway, ...more] = await stage.gateways();
  assert.deepEqual(more, []);
  assert.deepEqual([gateway?.shared, gateway?.auto], [true, true]);
  for (const client of clients.slice(1)) await client[Symbol.asyncDispose]();
  await delay(2_500); // longer than it lingers
  assert.equal((await clients[0]?.run("2 + 2"))?.text, "4");
  assert.equal((await stage.gateways())[0]?.pid, gateway?.pid);
  // A client that is killed has left as well.
  Deno.kill(clients[0]?.pid ?? 0, "SIGKILL");
  await stage.until((list) => list.length === 0);
  await clients[0]?.[Symbol.asyncDispose]();
});

test("other values of the variables that the configuration names make another gateway", async (way) => {
  await using stage = await openStage(way);
  await using one = await stage.connect({ env: { SHARED_VALUE: "one", UNRELATED: "1" } });
  await using same = await stage.connect({ env: { SHARED_VALUE: "one", UNRELATED: "2" } });
  await using other = await stage.connect({ env: { SHARED_VALUE: "two" } });
  for (const client of [one, same, other]) assert.equal((await client.run("1")).text, "1");
  const gateways = await stage.gateways();
  assert.equal(gateways.length, 2);
  const text = await Deno.readTextFile(
    join(stage.home, ".onetool", "run", `${gateways[0]?.pid}.json`),
  );
  assert.doesNotMatch(text, /"(?:one|two)"/);
});

test("a client in another folder of the project has the same gateway", async (way) => {
  await using stage = await openStage(way);
  await using above = await stage.connect();
  await using below = await stage.connect({ cwd: join(stage.project, "below") });
  const folder = "Deno.cwd()";
  assert.equal((await above.run(folder)).text, stage.project);
  assert.equal((await below.run(folder)).text, join(stage.project, "below"));
  assert.equal((await stage.gateways()).length, 1);
});

test("mcp --private and gateway.share: false start no gateway for others", async (way) => {
  for (const [share, args] of [[true, ["--private"]], [false, []]] as const) {
    await using stage = await openStage(way, { share });
    const client = await stage.connect({ args });
    assert.equal((await client.run("1")).text, "1");
    const [gateway] = await stage.gateways();
    assert.equal(gateway?.shared, false);
    assert.notEqual(gateway?.pid, client.pid);
    Deno.kill(client.pid, "SIGKILL");
    await stage.until((list) => list.length === 0);
    await client[Symbol.asyncDispose]();
  }
});

test("gateway start beside such a gateway prints its address, and makes it stay", async (way) => {
  await using stage = await openStage(way);
  const client = await stage.connect();
  await client.run("1");
  const [gateway] = await stage.gateways();
  const { code, stdout } = await cli(["gateway", "start"], {
    home: stage.home,
    cwd: stage.project,
  });
  assert.deepEqual([code, stdout], [0, `Listening on ${gateway?.url}\n`]);
  await client[Symbol.asyncDispose]();
  await delay(3_000);
  const [after] = await stage.gateways();
  assert.deepEqual([after?.pid, after?.auto], [gateway?.pid, false]);
});

test("a call that is lost with its gateway says if it can be repeated; the next starts another", async (way) => {
  await using stage = await openStage(way);
  await using client = await stage.connect();
  await client.run("1");
  const [first] = await stage.gateways();
  const computing = "await new Promise((end) => setTimeout(end, 60000))";
  const lost = await client.run(computing, (message) => {
    if (message === "Started") Deno.kill(first?.pid ?? 0, "SIGKILL");
  });
  assert.equal(lost.isError, true);
  assert.match(lost.text, /the gateway ended.* Try again\.$/);
  assert.deepEqual(lost.meta.error, { code: "unavailable", retryable: true });
  assert.equal((await client.run("6 * 7")).text, "42");
  const [second] = await stage.until((list) => list.length === 1);
  assert.notEqual(second?.pid, first?.pid);
  const hanging = 'import { tools } from "toolscript"; await tools.slow.hang({})';
  const called = await client.run(hanging, (message) => {
    if (message.startsWith("Calling")) Deno.kill(second?.pid ?? 0, "SIGKILL");
  });
  assert.equal(called.isError, true);
  assert.match(called.text, /earlier calls may have had effects/);
  assert.deepEqual(called.meta.error, { code: "unavailable", retryable: false });
});
