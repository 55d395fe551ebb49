/** Process of the bridge: its first answers, its ends, its limits. */

import assert from "node:assert/strict";
import { openStage, type Stage } from "../bridge_stage.ts";
import { bridgeOver, INITIALIZE, mcpCommand, stdioEnvironment } from "../clients.ts";

/** A program that never answers. */
const IDLE = ["node", "-e", "setTimeout(() => {}, 600_000)"];

async function bridge({ home }: Stage, cwd: string): Promise<Deno.Command> {
  const { command, args } = await mcpCommand("node");
  const pipes = { stdin: "piped", stdout: "piped", stderr: "piped" } as const;
  return new Deno.Command(command, { ...pipes, args, cwd, env: stdioEnvironment({ home }) });
}

/** Sends the requests; resolves with their results once all have one and the process has ended. */
async function ask(
  child: Deno.ChildProcess,
  requests: readonly (readonly [method: string, params: object])[],
): Promise<Record<string, unknown>[]> {
  const writer = child.stdin.getWriter();
  for (const [id, [method, params]] of requests.entries()) {
    const line = JSON.stringify({ jsonrpc: "2.0", id, method, params });
    await writer.write(new TextEncoder().encode(`${line}\n`));
  }
  const results: Record<string, unknown>[] = [];
  let rest = "";
  for await (const text of child.stdout.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) results[JSON.parse(line).id] = JSON.parse(line).result;
    if (Object.keys(results).length === requests.length) await writer.close().catch(() => {});
  }
  assert.equal((await child.status).code, 0);
  return results;
}

Deno.test("the first requests are answered where nothing else ever starts", async () => {
  await using stage = await openStage();
  const project = await stage.project({});
  const child = (await bridgeOver(IDLE, { cwd: project, env: { HOME: stage.home } })).spawn();
  const [hello, pong, list] = await ask(child, [
    ["initialize", INITIALIZE],
    ["ping", {}],
    ["tools/list", {}],
  ]);
  assert.equal(hello?.protocolVersion, INITIALIZE.protocolVersion);
  assert.match(String(hello?.instructions), /Packs: data; .*`ot\.packs\(\)` lists those/);
  assert.deepEqual(pong, {});
  const { tools } = list as unknown as { tools: { name: string }[] };
  assert.deepEqual(tools.map(({ name }) => name), ["run", "look"]);
});

Deno.test("the second start in a project answers as the first one learned", async () => {
  await using stage = await openStage();
  const project = await stage.project({ snippets: { hi: { body: "1" } }, mcp: { look: false } });
  await stage.startOnce(project);
  const child = (await bridgeOver(IDLE, { cwd: project, env: { HOME: stage.home } })).spawn();
  const [hello, list] = await ask(child, [["initialize", INITIALIZE], ["tools/list", {}]]);
  assert.match(String(hello?.instructions), /Packs: snippets; /);
  const { tools } = list as unknown as { tools: { name: string }[] };
  assert.deepEqual(tools.map(({ name }) => name), ["run"]);
});

Deno.test("requests before the end of stdin are answered, and then the bridge ends", async () => {
  await using stage = await openStage();
  const project = await stage.project({});
  const child = (await bridge(stage, project)).spawn();
  const call = { name: "run", arguments: { command: "6 * 7" } };
  const lines = [
    { jsonrpc: "2.0", id: 1, method: "initialize", params: INITIALIZE },
    { jsonrpc: "2.0", method: "notifications/initialized" },
    { jsonrpc: "2.0", id: 2, method: "tools/call", params: call },
    { jsonrpc: "2.0", id: 3, method: "nonsense" },
  ].map((message) => `${JSON.stringify(message)}\n`);
  await new Blob([...lines, "rubbish\n"]).stream().pipeTo(child.stdin);
  const [{ code }, stdout, stderr] = await Promise.all([
    child.status,
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  const answers = stdout.trim().split("\n").map((line) => JSON.parse(line))
    .filter(({ id }) => id !== undefined).sort((one, other) => one.id - other.id);
  assert.equal(code, 0);
  assert.deepEqual(answers.map(({ id }) => id), [1, 2, 3]);
  assert.equal(answers[0].result.serverInfo.name, "toolscript");
  assert.equal(answers[1].result.content[0].text, "42");
  assert.equal(answers[2].error.code, -32601);
  assert.match(stderr, /Warning: Cannot read a message: "rubbish"/);
});

Deno.test("a configuration that does not parse ends the bridge with its exit code", async () => {
  await using stage = await openStage();
  const project = await stage.project({ gateway: { linger: "long" } });
  const child = (await bridge(stage, project)).spawn();
  const [{ code }, stderr] = await Promise.all([
    child.status,
    new Response(child.stderr).text(),
    child.stdout.cancel(),
  ]);
  await child.stdin.close().catch(() => {}); // it has ended
  assert.equal(code, 2);
  assert.match(stderr, /gateway\.linger/);
});

Deno.test("a message that is too long ends the bridge with a warning", async () => {
  await using stage = await openStage();
  const project = await stage.project({ gateway: { max_body_mb: 1, linger: 1 } });
  const child = (await bridge(stage, project)).spawn();
  const writer = child.stdin.getWriter();
  const hello = { jsonrpc: "2.0", id: 1, method: "resources/list" };
  await writer.write(new TextEncoder().encode(`${JSON.stringify(hello)}\n`));
  const reader = child.stdout.getReader();
  await reader.read(); // with the gateway the limit of the project is known
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
