/** Runs that only read: `"look": true` in `POST /run`, the MCP tool `look`, and the command line. */

import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { DatabaseSync } from "node:sqlite";
import { refusedText } from "#runtime/refused";
import { caught } from "../../cli/io.ts";
import { openGateway, type TestGateway } from "../../support/gateway.ts";
import { statsFolder } from "../../support/stats.ts";

const SERVER = fileURLToPath(new URL("../../fixtures/mcp/changing_server.ts", import.meta.url));
const inputSchema = { type: "object", properties: { id: { type: "string" }, n: {} } };
const TOOLS = [
  { name: "get", description: "Reads", inputSchema, annotations: { readOnlyHint: true } },
  { name: "save", description: "Writes", inputSchema },
  { name: "purge", description: "Destroys", inputSchema, annotations: { destructiveHint: true } },
  { name: "ask_first", description: "Reads", inputSchema, annotations: { readOnlyHint: true } },
  { name: "gone", description: "Is blocked", inputSchema },
];
const PACK = `import { tools } from "toolscript";
/** Peeks.
 * @effect read */
export async function peek(): Promise<unknown> { return await tools.shop.purge({ id: "10" }); }
/** Fails by itself.
 * @effect read */
export function fail(): void { throw Object.assign(new Error("No"), { code: "read_only" }); }
`;
const LIST = "Refused, since this was only a look: ";

interface Stage extends AsyncDisposable {
  readonly gateway: TestGateway;
  calls(): Promise<string[]>;
}

async function openStage(config: Record<string, unknown> = {}): Promise<Stage> {
  const folder = await Deno.realPath(await Deno.makeTempDir({ prefix: "toolscript-look-" }));
  const file = join(folder, "tools.json");
  await Deno.writeTextFile(file, JSON.stringify(TOOLS));
  const args = ["run", "--allow-all", "--quiet", "--no-config", "--no-lock", SERVER, file];
  const pack = join(folder, ".onetool", "tools", "mine", "mine_tools.ts");
  await Deno.mkdir(dirname(pack), { recursive: true });
  await Deno.writeTextFile(pack, PACK);
  const home = join(folder, "home");
  await Deno.mkdir(home);
  const gateway = await openGateway({
    servers: { shop: { command: Deno.execPath(), args } },
    security: { ask: ["shop.save", "shop.ask_first"], blocked: ["shop.gone"] },
    snippets: { see: { body: 'shop.get(id="1")' }, drop: { body: 'shop.purge(id="9")' } },
    ...config,
  }, { home, project: folder });
  await gateway.ready();
  return {
    gateway,
    async calls() {
      const text = await Deno.readTextFile(`${file}.calls`).catch(() => "");
      return text.split("\n").filter((line) => line !== "");
    },
    async [Symbol.asyncDispose]() {
      await gateway[Symbol.asyncDispose]();
      await Deno.remove(folder, { recursive: true });
    },
  };
}

async function look(gateway: TestGateway, command: string, more = {}) {
  const response = await gateway.post("/run", { command, look: true, ...more });
  return { status: response.status, reply: await response.json() };
}

Deno.test("refusedText() tells of calls that nothing is kept of", () => {
  assert.equal(refusedText([], 3), `${LIST}3 whose arguments are too large to list`);
  const call = { tool: "shop.purge", arguments: { id: "1" } };
  assert.equal(refusedText([call], 3), `${LIST}shop.purge({"id":"1"}) and 2 more`);
});

Deno.test("a look makes calls that read, and refuses every other", async (t) => {
  await using stage = await openStage();
  const { gateway } = stage;
  await t.step("a read goes through, without a list", async () => {
    const { reply } = await look(gateway, 'shop.get(id="1")');
    assert.equal(reply.ok, true);
    assert.ok(!reply.text.includes(LIST));
    assert.deepEqual(await stage.calls(), ["get"]);
  });
  await t.step("an uncaught refusal ends the run as read_only", async () => {
    const { status, reply } = await look(gateway, 'shop.purge(id="7")');
    assert.equal(status, 200);
    assert.deepEqual([reply.ok, reply.error.code], [false, "read_only"]);
    assert.deepEqual([reply.error.tool, reply.error.details.effect], ["shop.purge", "destroy"]);
    assert.ok(reply.text.endsWith(`${LIST}shop.purge({"id":"7"})`), reply.text);
    assert.deepEqual(await stage.calls(), ["get"]);
  });
  await t.step("no person is asked about a call on a list, however it is made", async () => {
    for (const command of ['shop.save(id="8")', 'const id = "8"; shop.save(id=id)']) {
      const { status, reply } = await look(gateway, command);
      assert.deepEqual([status, reply.error.code], [200, "read_only"], command);
      assert.equal(reply.error.details.effect, "write");
    }
  });
  await t.step("nor about a read on a list: it says where it can be asked for", async () => {
    const { status, reply } = await look(gateway, "shop.ask_first()");
    assert.deepEqual([status, reply.error.code], [409, "needs_confirmation"]);
    assert.match(reply.error.message, /make the call in a run/);
    assert.equal(reply.error.details.page, undefined);
    const env = { TOOLSCRIPT_GATEWAY_URL: gateway.url, TOOLSCRIPT_TOKEN: gateway.token };
    const at = { home: gateway.home, cwd: gateway.project, env, lines: ["y"] };
    const { code, stderr } = await caught(["run", "--look", "shop.ask_first()"], at);
    assert.equal(code, 1);
    assert.match(stderr, /: run it without --look, or take the pattern out/);
  });
  await t.step("a program that catches it goes on; the list has all calls", async () => {
    const script = `import { tools, ToolError } from "toolscript";
const codes: string[] = [];
for (const n of [1, 2]) {
  try { await tools.shop.purge({ n }); } catch (error) {
    if (error instanceof ToolError) codes.push(error.code);
  }
}
export default codes;`;
    const { reply } = await look(gateway, "", { command: undefined, script });
    assert.deepEqual([reply.ok, reply.value], [true, ["read_only", "read_only"]]);
    assert.ok(reply.text.endsWith(`${LIST}shop.purge({"n":1}), shop.purge({"n":2})`), reply.text);
    assert.deepEqual(reply.refused[1], { tool: "shop.purge", arguments: { n: 2 } });
  });
  await t.step("snippets obey it as well", async () => {
    for (const command of ["$see", "snippets.see({})"]) {
      assert.equal((await look(gateway, command)).reply.ok, true, command);
    }
    for (const command of ["$drop", "snippets.drop({})"]) {
      const { reply } = await look(gateway, command);
      assert.equal(reply.error.code, "read_only", command);
      assert.ok(reply.text.includes(`${LIST}shop.purge({"id":"9"})`), reply.text);
    }
    assert.ok(!(await stage.calls()).includes("purge"));
  });
  await t.step("a tool that says it reads makes no call that writes", async () => {
    const { reply } = await look(gateway, "mine.peek()");
    assert.deepEqual([reply.ok, reply.error.code], [false, "read_only"]);
    assert.equal(reply.error.details.effect, "destroy");
    assert.ok(reply.text.endsWith(`${LIST}shop.purge({"id":"10"})`), reply.text);
    assert.ok(!(await stage.calls()).includes("purge"));
  });
  await t.step("a tool that throws the same code is no refusal", async () => {
    assert.equal((await look(gateway, "mine.fail()")).reply.error.code, "tool_error");
  });
  await t.step("of many refused calls the number is the right one", async () => {
    const code = "for (let n = 0; n < 130; n++) await shop.purge({ n }).catch(() => 0)";
    const { reply } = await look(gateway, code);
    assert.match(reply.text, / and 110 more$/);
    assert.deepEqual([reply.refused.length, reply.refused_total], [100, 130]);
  });
  await t.step("of large arguments those of two calls are kept, and few parts", async () => {
    const rows = [
      ['"x".repeat(900_000)', 2],
      ["Array(100_000).fill({ a: 1 })", 2],
      ['{ ["k".repeat(900_000)]: Array(10).fill("y") }', 2],
    ] as const;
    for (const [argument, kept] of rows) {
      const code =
        `for (let i = 0; i < 6; i++) await shop.purge({ n: ${argument} }).catch(() => 0)`;
      const { reply } = await look(gateway, code);
      assert.deepEqual([reply.refused.length, reply.refused_total], [kept, 6], argument);
      assert.ok(reply.text.endsWith(` and ${6 - kept} more`), reply.text.slice(-200));
    }
  });
  await t.step("blocked stays blocked", async () => {
    const { reply } = await look(gateway, 'const t = "gone"; tools.shop[t]({})');
    assert.equal(reply.error.code, "blocked");
  });
  await t.step("it is a flag, and goes with no plan", async () => {
    for (const more of [{ look: "yes" }, { plan: true }]) {
      const { status, reply } = await look(gateway, "1", more);
      assert.deepEqual([status, reply.error.code], [400, "bad_request"]);
    }
  });
  await t.step("ot.stats writes no file", async () => {
    const { reply } = await look(gateway, 'ot.stats(output="x.html")');
    assert.equal(reply.error.code, "read_only");
  });
  await t.step("exec puts the list on stderr, and ends with 0 where the program does", async () => {
    const env = { TOOLSCRIPT_GATEWAY_URL: gateway.url, TOOLSCRIPT_TOKEN: gateway.token };
    const at = { home: gateway.home, cwd: gateway.project, env };
    const code = 'import { tools } from "toolscript";\n' +
      'await tools.shop.purge({ n: 3 }).catch(() => 0);\n"seen"';
    const done = await caught(["exec", "--look", "-e", code], at);
    assert.deepEqual([done.code, done.stdout], [0, '"seen"\n'], done.stderr);
    assert.ok(done.stderr.includes(`${LIST}shop.purge({"n":3})`), done.stderr);
    const failed = await caught(["run", "--look", "shop.purge(n=4)"], at);
    assert.equal(failed.code, 1);
    assert.ok(failed.stderr.includes(`${LIST}shop.purge({"n":4})`), failed.stderr);
  });
  await t.step("statistics know it", async () => {
    await gateway.run("export default 1;");
    const { reply } = await look(gateway, "ot.stats()");
    assert.ok(reply.value.runs.look > 0);
    assert.ok(reply.value.runs.look < reply.value.runs.total);
    const file = join(statsFolder(gateway), "stats.db");
    const database = new DatabaseSync(file, { readOnly: true });
    const rows = database.prepare("SELECT look FROM runs WHERE code = 'read_only'").all();
    database.close();
    assert.ok(rows.length > 0 && rows.every(({ look }) => look === 1));
  });
});

const HEADERS = { accept: "application/json, text/event-stream" };

async function mcp(gateway: TestGateway, method: string, params: Record<string, unknown> = {}) {
  const meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  const body = { jsonrpc: "2.0", id: 1, method, params: { ...params, _meta: meta } };
  const headers = {
    ...HEADERS,
    "mcp-protocol-version": "2026-07-28",
    "mcp-method": method,
    ...(params.name ? { "mcp-name": String(params.name) } : {}),
  };
  const text = await (await gateway.post("/mcp", body, headers)).text();
  const data = text.split("\n").findLast((line) => line.startsWith("data: "))?.slice(6) ?? text;
  return JSON.parse(data).result;
}

Deno.test("MCP clients have the tool look, unless mcp.look is false", async () => {
  await using stage = await openStage();
  const { tools } = await mcp(stage.gateway, "tools/list");
  assert.deepEqual(tools.map(({ name }: { name: string }) => name), ["run", "look"]);
  const [run, own] = tools;
  assert.equal(own.annotations.readOnlyHint, true);
  assert.equal(own.annotations.destructiveHint, false);
  assert.deepEqual(own._meta, run._meta);
  assert.deepEqual(own._meta, {
    "anthropic/alwaysLoad": true,
    "anthropic/maxResultSizeChars": 500_000,
  });
  const keys = ({ inputSchema }: typeof run) => Object.keys(inputSchema.properties);
  assert.deepEqual(keys(own), keys(run));
  const params = { name: "look", arguments: { command: 'shop.save(id="9")' } };
  const { isError, content } = await mcp(stage.gateway, "tools/call", params);
  assert.equal(isError, true);
  assert.ok(content[0].text.endsWith(`${LIST}shop.save({"id":"9"})`), content[0].text);
  assert.deepEqual(await stage.calls(), []);

  await using without = await openStage({ mcp: { look: false } });
  const offered = (await mcp(without.gateway, "tools/list")).tools;
  assert.deepEqual(offered.map(({ name }: { name: string }) => name), ["run"]);
});
