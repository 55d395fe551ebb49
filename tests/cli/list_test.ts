import assert from "node:assert/strict";
import { join } from "node:path";
import { cli } from "../support/cli.ts";
import { checkFiles } from "../support/generated.ts";
import { openGateway } from "../support/gateway.ts";
import { openFolders } from "../support/packs.ts";
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
    assert.deepEqual(Object.keys(tool), [
      "name",
      "server",
      "description",
      "source",
      "effect",
      "effect_from",
    ]);
    assert.deepEqual([tool.effect, tool.effect_from], ["read", "annotations"]);
    assert.deepEqual([tool.server, tool.source], ["memory", "proxy:memory"]);
  });
  await t.step("list for a person", async () => {
    const { stdout } = await caught(["list", "memory"], at);
    assert.match(stdout, /^memory\.read_graph\s+Read the entire knowledge graph$/m);
  });
  await t.step("an unknown server", async () => {
    const { code, stdout, stderr } = await caught(["list", "memry"], at);
    assert.deepEqual([code, stdout], [3, ""]);
    assert.match(stderr, /no such server or pack: did you mean "memory"\?/);
  });
  await t.step("types", async () => {
    const { code, stdout } = await caught(["types", "--filter", "memory"], at);
    assert.equal(code, 0);
    assert.match(stdout, /readonly memory: MemoryTools/);
    assert.match(stdout, /readGraph\(args\?: ReadGraphArgs, options\?: CallOptions\)/);
    const json = await caught(["types", "--filter", "memory", "--json"], at);
    assert.deepEqual(JSON.parse(json.stdout), { text: stdout });
    const [kept, link] = ["kept.md", "t.ts"].map((name) => join(at.cwd, name)) as [string, string];
    await Deno.writeTextFile(kept, "kept");
    await Deno.symlink(kept, link); // a repository may bring one
    const written = await caught(["types", "--out", "t.ts"], at);
    assert.equal(await Deno.readTextFile(kept), "kept");
    assert.deepEqual([written.code, written.stdout], [0, ""]);
    const program = `import { tools, ToolError } from "./t.ts";
const { entities } = await tools.memory.readGraph();
const names: string[] = entities.map(({ name }) => name);
const error = new ToolError("x");
const code: string = error.code;
// @ts-expect-error no such tool
tools.memory.readGrph;
console.log(names, code);`;
    await Deno.writeTextFile(join(gateway.project, "p.ts"), program);
    assert.equal(await checkFiles(gateway.project, ["p.ts"]), "");
  });
  await t.step("types of one tool", async () => {
    const { stdout, stderr } = await caught(["types", "--filter", "memory__read_graph,nope"], at);
    assert.match(stdout, /readGraph\(args\?: ReadGraphArgs, options\?: CallOptions\)/);
    assert.ok(!stdout.includes("deleteEntities"), "no other tool of the server");
    assert.equal(stderr, 'Warning: No such tool: "nope"\n');
  });
});

Deno.test("list says why a server has no tools", async () => {
  const servers = {
    gone: { command: "no-such-command-here" },
    off: { command: "x", enabled: false },
  };
  await using gateway = await openGateway({ servers });
  const env = { TOOLSCRIPT_GATEWAY_URL: gateway.url, TOOLSCRIPT_TOKEN: gateway.token };
  const { code, stderr } = await caught(["list"], {
    home: gateway.home,
    cwd: gateway.project,
    env,
  });
  const lines = 'Warning: No tools of "gone": command not found\n';
  assert.deepEqual([code, stderr], [0, lines]);
});

Deno.test("list shows packs: of this process, switched off, and in a worker that cannot start", async (t) => {
  await using folders = await openFolders({
    project: {
      "plain/plain_tools.py": "def one(): return 1\n",
      "hello/hello_tools.ts": "export const hi = () => 1;\n",
    },
  });
  const { project: cwd, home } = folders;
  const at = { home, cwd, env: { PATH: "/nowhere" } };
  const listOf = async (...words: string[]) => await cli(["list", ...words], at);
  for (const pack of ["ot", "file", "hello"]) {
    await t.step(pack, async () => {
      const { code, stdout, stderr } = await listOf(pack, "--json");
      assert.equal(code, 0, stderr);
      const tools: { server: string }[] = JSON.parse(stdout);
      assert.ok(tools.length > 0 && tools.every(({ server }) => server === pack), stdout);
    });
  }
  await t.step("a pack in Python without uv", async () => {
    const { code, stdout, stderr } = await listOf("plain");
    assert.deepEqual([code, stdout], [0, ""]);
    assert.match(stderr, /No tools of "plain": uv not found/);
    assert.match((await listOf()).stderr, /No tools of "plain": uv not found/);
  });
  await t.step("a pack that is not configured", async () => {
    const { code, stdout, stderr } = await listOf("brave");
    assert.deepEqual([code, stdout], [0, ""]);
    assert.match(stderr, /No tools of "brave": it is off: .*packs\.brave\.api_key/);
    assert.ok(!(await listOf()).stderr.includes("brave"));
  });
  await t.step("an unknown pack", async () => {
    const { code, stderr } = await listOf("brvae");
    assert.equal(code, 3);
    assert.match(stderr, /no such server or pack: did you mean "brave"\?/);
  });
  await t.step("ot.packs() says that it is unavailable, and why", async () => {
    const { stdout } = await cli(["run", "ot.packs()", "--json"], at);
    const packs: Record<string, unknown>[] = JSON.parse(stdout).value;
    const [plain, hello] = ["plain", "hello"].map((name) => packs.find((p) => p.name === name));
    assert.deepEqual([plain?.status, plain?.tool_count], ["disconnected", 0]);
    assert.match(String(plain?.problem), /Python packs need uv, which is not there: install it/);
    assert.deepEqual(hello, { name: "hello", source: "local", tool_count: 1 });
  });
});

Deno.test("types declares ToolError as the client has it", async () => {
  const client = await Deno.readTextFile(
    new URL("../../runtime/types/pack_proxy.ts", import.meta.url),
  );
  const types = await Deno.readTextFile(new URL("../../cli/tools/types.ts", import.meta.url));
  const fields = (text: string) =>
    [.../class ToolError[^]*?\n}/.exec(text)?.[0].matchAll(/^ {2}readonly (\w+\??: .*);$/gm) ?? []]
      .map(([, field]) => field);
  assert.equal(fields(types).length, 4);
  assert.deepEqual(fields(types), fields(client));
});

Deno.test("reports of a gateway in this process name the server", async () => {
  const home = await Deno.makeTempDir();
  await Deno.mkdir(join(home, "p/.onetool"), { recursive: true });
  const config = "servers: { broken: { command: sh, args: [-c, exit 3] } }";
  await Deno.writeTextFile(join(home, "p/.onetool/onetool.yaml"), config);
  const { code, stderr } = await cli(["list"], { home, cwd: join(home, "p") });
  await Deno.remove(home, { recursive: true });
  assert.equal(code, 0);
  assert.match(stderr, /^Warning: A server's process ended \(server "broken"\)$/m);
  assert.match(stderr, /^Warning: No tools of "broken": connection closed$/m);
});
