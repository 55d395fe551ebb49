import assert from "node:assert/strict";
import { join } from "node:path";
import { dump } from "js-yaml";
import { findGateways } from "#gateway/running";
import { cli, cliCommand } from "../../../support/cli.ts";
import { delay, openGateway } from "../../../support/gateway.ts";
import { fixture, pinnedCommand } from "../../../support/servers.ts";
import {
  ERAS,
  INITIALIZE,
  newClient,
  overHttp,
  overStdio,
  type TestClient,
  textOf,
} from "../clients.ts";

interface TestProject extends AsyncDisposable {
  readonly home: string;
  readonly project: string;
}

async function openProject(config: Record<string, unknown> = {}): Promise<TestProject> {
  const home = await Deno.makeTempDir({ prefix: "toolscript-home-" });
  const project = await Deno.makeTempDir({ prefix: "toolscript-project-" });
  await Deno.mkdir(join(project, ".onetool"));
  await Deno.writeTextFile(join(project, ".onetool", "onetool.yaml"), dump(config));
  return {
    home,
    project,
    async [Symbol.asyncDispose]() {
      await Deno.remove(home, { recursive: true });
      await Deno.remove(project, { recursive: true });
    },
  };
}

const IMPORT = 'import { tools } from "toolscript";\n';

const { command, args } = fixture("good");
const SERVERS = { server0: { command, args } };

for (const era of ERAS) {
  Deno.test(`toolscript mcp runs commands for a client of the ${era} era`, async () => {
    await using folders = await openProject({ servers: SERVERS });
    await using connection = await overStdio(folders, newClient(era));
    const { client } = connection;
    assert.match(String(client.getInstructions()), /Packs: server0; data; db: sqlite, /);
    const { tools } = await client.listTools();
    assert.deepEqual(tools.map(({ name }) => name), ["run", "look"]);
    const command = `${IMPORT}await tools.server0.echo({ a: 1 })`;
    const progress: unknown[] = [];
    const result = await client.callTool({ name: "run", arguments: { command } }, {
      onprogress: (each) => progress.push(each),
    });
    assert.equal(textOf(result), '{"a":1}');
    assert.equal(result._meta?.calls, 1);
    assert.ok(progress.length > 0);
    const [gateway] = await findGateways(folders.home);
    assert.equal(gateway?.shared, false);
  });
}

Deno.test("toolscript mcp writes only protocol messages to stdout, and ends with its client", async () => {
  await using folders = await openProject({ nonsense: true });
  const child = cliCommand(["mcp", "--private"], { ...folders, cwd: folders.project, stdin: "" })
    .spawn();
  const writer = child.stdin.getWriter();
  const send = (message: unknown) =>
    writer.write(new TextEncoder().encode(`${JSON.stringify(message)}\n`));
  await writer.write(new TextEncoder().encode("rubbish\n"));
  await send({ jsonrpc: "2.0", id: 1, method: "initialize", params: INITIALIZE });
  await send({ jsonrpc: "2.0", method: "notifications/initialized" });
  const params = { name: "run", arguments: { command: "console.log('x'); 2 * 3" } };
  await send({ jsonrpc: "2.0", id: 2, method: "tools/call", params });
  const lines: { id?: number; jsonrpc: string }[] = [];
  let rest = "";
  for await (const text of child.stdout.pipeThrough(new TextDecoderStream())) {
    const parts = (rest + text).split("\n");
    rest = parts.pop() ?? "";
    lines.push(...parts.map((line) => JSON.parse(line)));
    if (lines.some(({ id }) => id === 2)) await writer.close().catch(() => {});
  }
  const { code } = await child.status;
  await child.stderr.cancel();
  assert.equal(code, 0);
  assert.equal(rest, "");
  assert.ok(lines.every(({ jsonrpc }) => jsonrpc === "2.0"));
  assert.match(JSON.stringify(lines.find(({ id }) => id === 2)), /"text":"6"/);
});

Deno.test("toolscript mcp answers the requests before the end of stdin", async () => {
  await using folders = await openProject({ servers: SERVERS, gateway: { grace: 60 } });
  const request = (id: number, method: string, params: unknown) =>
    `${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`;
  const call = (command: string) => ({ name: "run", arguments: { command } });
  const stdin = request(1, "initialize", INITIALIZE) +
    request(2, "tools/call", call("server0.echo(a=1)")) +
    request(3, "tools/call", call("await new Promise((done) => setTimeout(done, 500)); 3")) +
    request(4, "tools/list", {});
  const { code, stdout, stderr } = await cli(["mcp", "--private"], {
    ...folders,
    cwd: folders.project,
    stdin,
  });
  assert.equal(code, 0, stderr);
  const answers = new Map(
    stdout.trimEnd().split("\n").map((line) => JSON.parse(line)).map((line) => [line.id, line]),
  );
  assert.equal(textOf(answers.get(2).result), '{"a":1}');
  assert.equal(textOf(answers.get(3).result), "3");
  assert.equal(answers.get(4).result.tools.length, 2);
});

Deno.test("toolscript mcp ends after a grace period when stdin has ended", async () => {
  await using folders = await openProject({ servers: SERVERS, gateway: { grace: 0.2 } });
  const params = { name: "run", arguments: { command: "server0.hang({})" } };
  const stdin = `${JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params })}\n`;
  const { code } = await cli(["mcp", "--private"], { ...folders, cwd: folders.project, stdin });
  assert.equal(code, 0);
});

Deno.test("toolscript mcp ignores invalid lines", async () => {
  await using folders = await openProject();
  const ping = (id: number) => `${JSON.stringify({ jsonrpc: "2.0", id, method: "ping" })}`;
  const rubbish = ["rubbish", "null", "[]", "{}", '{"jsonrpc":"1.0","id":9}', "\0", " ", ""];
  const initialize = JSON.stringify({
    jsonrpc: "2.0",
    id: 1,
    method: "initialize",
    params: { ...INITIALIZE, clientInfo: { name: "ü".repeat(200_000), version: "1" } },
  });
  const stdin = [...rubbish, initialize, ...rubbish, `${ping(2)}\r`, ping(3)].join("\n");
  const { code, stdout, stderr } = await cli(["mcp", "--private"], {
    ...folders,
    cwd: folders.project,
    stdin,
  });
  assert.equal(code, 0, stderr);
  const ids = stdout.trimEnd().split("\n").map((line) => JSON.parse(line).id);
  assert.deepEqual(ids.filter((id) => id !== undefined), [1, 2, 3]);
  assert.match(stderr, /Cannot read a message: "rubbish": send one JSON-RPC 2.0 message a line/);
});

Deno.test("toolscript mcp closes the connection on an endless message", async () => {
  await using folders = await openProject({ gateway: { max_body_mb: 1 } });
  const child = cliCommand(["mcp", "--private"], { ...folders, cwd: folders.project, stdin: "" })
    .spawn();
  const writer = child.stdin.getWriter();
  const message = { jsonrpc: "2.0", id: 1, method: "initialize", params: INITIALIZE };
  await writer.write(new TextEncoder().encode(`${JSON.stringify(message)}\n`));
  const reader = child.stdout.getReader();
  await reader.read(); // the bound of the project is known by now
  await reader.cancel();
  await writer.write(new Uint8Array(2 ** 20 + 200_000).fill(120)).catch(() => {});
  const stderr = await new Response(child.stderr).text();
  assert.equal((await child.status).code, 0, stderr);
  await writer.abort().catch(() => {});
  assert.match(stderr, /more than 1048576 bytes.*max_body_mb/s);
});

Deno.test("toolscript mcp ends when its client closes stdout", async () => {
  await using folders = await openProject();
  const child = cliCommand(["mcp", "--private"], { ...folders, cwd: folders.project, stdin: "" })
    .spawn();
  await child.stdout.cancel();
  const writer = child.stdin.getWriter();
  const message = { jsonrpc: "2.0", id: 1, method: "initialize", params: INITIALIZE };
  await writer.write(new TextEncoder().encode(`${JSON.stringify(message)}\n`));
  const timer = setTimeout(() => child.kill("SIGKILL"), 30_000);
  assert.equal((await child.status).code, 0); // its stdin is open still
  clearTimeout(timer);
  await writer.abort().catch(() => {});
  await child.stderr.cancel();
});

Deno.test("toolscript mcp has the instructions and capabilities of a gateway", async () => {
  const gateway = await openGateway({
    servers: SERVERS,
    snippets: { hi: { body: "1" } },
    projects: { site: "." },
    prompts: { instructions: "Be kind." },
    packs: { git: { enabled: false } },
  });
  const about = async (connection: TestClient) => {
    await using _open = connection;
    return connection.client.getInstructions() ?? "";
  };
  const packsIn = (text: string) =>
    /Packs: (.*)\./.exec(text)?.[1]?.split("; ").map((pack) => pack.replace(/:.*/, "")).sort();
  const shared = await about(await overHttp(gateway, newClient("legacy")));
  const early = await about(await overStdio(gateway, newClient("legacy")));
  assert.deepEqual(packsIn(early), packsIn(shared));
  assert.ok(packsIn(early)?.includes("proj") && !packsIn(early)?.includes("git"));
  assert.ok(early.endsWith("\n\nBe kind."));
  await gateway[Symbol.asyncDispose]();
});

Deno.test("toolscript mcp names what a server is for once its tools were listed", async () => {
  await using gateway = await openGateway({ servers: { graph: pinnedCommand("memory") } });
  await gateway.ready();
  await gateway.close();
  await using connection = await overStdio(gateway, newClient("legacy"));
  const instructions = String(connection.client.getInstructions());
  assert.match(instructions, /Packs: graph: entities, relations, observations; /);
});

Deno.test("toolscript mcp answers before many configured servers start", async () => {
  // They never answer: a gateway that waits for one is given up by the client.
  const silent = {
    command: Deno.execPath(),
    args: ["eval", "await new Promise(() => setInterval(() => {}, 9_999))"],
  };
  const names = Array.from({ length: 25 }, (_, index) => `server${index}`);
  const configured = Object.fromEntries(names.map((name) => [name, silent]));
  await using folders = await openProject({ servers: configured });
  await using connection = await overStdio(folders, newClient("legacy"));
  assert.match(String(connection.client.getInstructions()), /server0, server1, .* more\./);
});

Deno.test("toolscript mcp uses the shared gateway, and its own once that has ended", async () => {
  const shared = await openGateway({ servers: SERVERS });
  await using connection = await overStdio(shared, newClient("legacy"));
  const { client } = connection;
  const run = async (command: string) =>
    textOf(await client.callTool({ name: "run", arguments: { command } }));
  const pid = `${IMPORT}await tools.server0.pid()`;
  const viaHttp = await shared.run(pid);
  assert.equal(await run(pid), String(viaHttp.value));
  assert.deepEqual((await findGateways(shared.home)).map(({ shared }) => shared), [true]);
  const folders = { home: shared.home, project: shared.project };
  await shared.close();
  await delay(200);
  assert.notEqual(await run(pid), String(viaHttp.value));
  assert.deepEqual((await findGateways(folders.home)).map(({ shared }) => shared), [false]);
  await client.close();
  await shared[Symbol.asyncDispose]();
});

Deno.test("toolscript mcp reports a call lost with its gateway, and a cancelled one", async () => {
  await using folders = await openProject({ servers: SERVERS });
  const child = cliCommand(["gateway", "start"], { ...folders, cwd: folders.project }).spawn();
  await child.stdout.getReader().read();
  await using connection = await overStdio(folders, newClient("legacy"));
  const { client } = connection;
  const command = `${IMPORT}await tools.server0.hang({})`;

  /** Calls the tool that never answers; `then` happens once it was reached. */
  async function hang(then: () => void, signal?: AbortSignal) {
    return await client.callTool({ name: "run", arguments: { command } }, {
      signal,
      onprogress: ({ message }) => {
        if (message?.includes("hang")) then();
      },
    });
  }
  const cancel = new AbortController();
  await assert.rejects(hang(() => cancel.abort(), cancel.signal));
  const [shared] = await findGateways(folders.home);
  for (let running = 1, tries = 0; running > 0 && tries < 3_000; tries++) {
    const status = await (await fetch(`${shared?.url}/status`)).json();
    running = status.sandbox.running;
    await delay(20);
  }
  assert.equal((await (await fetch(`${shared?.url}/status`)).json()).sandbox.running, 0);

  const result = await hang(() => child.kill("SIGKILL"));
  assert.equal(result.isError, true);
  assert.match(textOf(result), /^Cannot finish the call: the gateway ended/);
  const after = await client.callTool({ name: "run", arguments: { command: "6 * 7" } });
  assert.equal(textOf(after), "42");
  await child.status;
  await child.stderr.cancel();
});

Deno.test("toolscript mcp refuses a named gateway that does not answer", async () => {
  await using folders = await openProject();
  const child = cliCommand(["mcp", "--gateway", "http://127.0.0.1:1"], {
    home: folders.home,
    cwd: folders.project,
    stdin: "",
  }).spawn();
  const { code, stdout, stderr } = await child.output();
  assert.equal(code, 3);
  assert.equal(stdout.length, 0);
  assert.match(new TextDecoder().decode(stderr), /does not answer/);
});

Deno.test("toolscript mcp serves the project of --project, else of CLAUDE_PROJECT_DIR", async () => {
  await using folders = await openProject({ servers: SERVERS });
  const cwd = await Deno.makeTempDir();
  try {
    const ways: { args: string[]; env: Record<string, string> }[] = [
      { args: ["mcp", "--private", "--project", folders.project], env: {} },
      {
        args: ["--private", "--project", folders.project, "mcp"],
        env: { CLAUDE_PROJECT_DIR: cwd },
      },
      { args: ["mcp", "--private"], env: { CLAUDE_PROJECT_DIR: folders.project } },
    ];
    const message = { jsonrpc: "2.0", id: 1, method: "initialize", params: INITIALIZE };
    const stdin = `${JSON.stringify(message)}\n`;
    for (const { args, env } of ways) {
      const { stdout } = await cli(args, { home: folders.home, cwd, env, stdin });
      assert.match(stdout, /Packs: server0; /);
    }
  } finally {
    await Deno.remove(cwd, { recursive: true });
  }
});
