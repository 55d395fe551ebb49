/** Effects of tools: who says them, and where they are byName. */

import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { openGateway, type TestGateway } from "../support/gateway.ts";
import { openFolders } from "../support/packs.ts";
import { caught } from "./io.ts";

const SERVER = fileURLToPath(new URL("../fixtures/mcp/changing_server.ts", import.meta.url));
const inputSchema = { type: "object", properties: {} };
const TOOLS = [
  { name: "plain", description: "Says nothing", inputSchema },
  { name: "reader", description: "Reads", inputSchema, annotations: { readOnlyHint: true } },
  { name: "purge", description: "Destroys", inputSchema, annotations: { destructiveHint: true } },
  {
    name: "liar",
    description: "Claims both",
    inputSchema,
    annotations: { readOnlyHint: true, destructiveHint: true },
  },
  { name: "get_one", description: "Is declared", inputSchema },
  { name: "get_rid", description: "Is declared twice", inputSchema },
];
const PACK = `/** Says hello.
 * @effect read */
export function hello(): string { return "hi"; }
/** Keeps a secret. */
export function keep(): string { return "kept"; }
/** Is overruled by the configuration.
 * @effect read */
export function drop(): string { return "gone"; }
`;

/** A gateway with a server, a pack of the user's and declared effects. */
async function openStage(): Promise<TestGateway> {
  const folder = await Deno.realPath(await Deno.makeTempDir({ prefix: "toolscript-effects-" }));
  await Deno.writeTextFile(join(folder, "tools.json"), JSON.stringify(TOOLS));
  const pack = join(folder, ".onetool", "tools", "mine", "mine_tools.ts");
  await Deno.mkdir(dirname(pack), { recursive: true });
  await Deno.writeTextFile(pack, PACK);
  const args = ["run", "--allow-all", "--quiet", "--no-config", "--no-lock", SERVER];
  const effects = { "get_*": "read", get_rid: "destroy" };
  const home = await Deno.makeTempDir({ prefix: "toolscript-home-" });
  const gateway = await openGateway({
    servers: {
      shop: { command: Deno.execPath(), args: [...args, join(folder, "tools.json")], effects },
    },
    packs: { mine: { effects: { drop: "destroy" } }, file: { effects: { "wr?te": "destroy" } } },
  }, { home, project: folder });
  return {
    ...gateway,
    async [Symbol.asyncDispose]() {
      await gateway[Symbol.asyncDispose]();
      for (const path of [folder, home]) {
        await Deno.remove(path, { recursive: true }).catch(() => {}); // the gateway has ended
      }
    },
  };
}

const EXPECTED = {
  "shop.plain": ["write", "default"],
  "shop.reader": ["read", "annotations"],
  "shop.purge": ["destroy", "annotations"],
  "shop.liar": ["destroy", "annotations"],
  "shop.get_one": ["read", "config"],
  "shop.get_rid": ["destroy", "config"],
  "mine.hello": ["read", "pack"],
  "mine.keep": ["write", "default"],
  "mine.drop": ["destroy", "config"],
  "file.write": ["destroy", "config"],
  "file.read": ["read", "pack"],
  "ot.help": ["read", "pack"],
  "ot.stats": ["read", "pack"],
  "ot.notify": ["write", "pack"],
  "ot.reload": ["write", "pack"],
};

Deno.test("every tool has an effect, from the first that says one", async (t) => {
  await using gateway = await openStage();
  await gateway.ready();
  const env = { TOOLSCRIPT_GATEWAY_URL: gateway.url, TOOLSCRIPT_TOKEN: gateway.token };
  const at = { home: gateway.home, cwd: gateway.project, env };

  await t.step("list --json shows it", async () => {
    const { stdout } = await caught(["list", "--json"], at);
    const tools: { name: string; effect: string; effect_from: string }[] = JSON.parse(stdout);
    const byName = new Map(tools.map(({ name, ...tool }) => [name, tool]));
    for (const [name, [effect, from]] of Object.entries(EXPECTED)) {
      assert.deepEqual(
        [byName.get(name)?.effect, byName.get(name)?.effect_from],
        [effect, from],
        name,
      );
    }
    const ot = tools.filter(({ name }) => name.startsWith("ot."));
    const writers = ot.filter(({ effect }) => effect !== "read").map(({ name }) => name);
    assert.deepEqual(writers.toSorted(), ["ot.notify", "ot.reload"]);
  });
  await t.step("effects lists those of a server, with who says them", async () => {
    const json = await caught(["effects", "shop", "--json"], at);
    assert.equal(json.code, 0);
    const expected = Object.entries(EXPECTED).filter(([tool]) => tool.startsWith("shop."))
      .map(([tool, [effect, from]]) => ({ tool, effect, from }));
    assert.deepEqual(JSON.parse(json.stdout), expected);
    const { stdout, stderr } = await caught(["effects", "shop"], at);
    assert.match(stdout, /^shop\.get_one +read +the configuration$/m);
    assert.match(stdout, /^shop\.plain +write +nobody: it counts as write$/m);
    assert.match(stderr, /1 of 6 tools say nothing: declare them in servers\.shop\.effects/);
  });
  await t.step("effects of a pack are declared below packs", async () => {
    const { stderr } = await caught(["effects", "mine"], at);
    assert.match(stderr, / say nothing: declare them in packs\.mine\.effects/);
  });
  await t.step("effects knows no other server", async () => {
    const { code, stderr } = await caught(["effects", "shpo"], at);
    assert.equal(code, 3);
    assert.match(stderr, /no such server or pack: did you mean "shop"\?/);
  });
  await t.step("ot.tools shows it where info is full", async () => {
    const script = 'import { tools } from "toolscript";\n' +
      'export default await tools.ot.tools({ pack: "shop", info: "full" });';
    const { value } = await gateway.run(script);
    const rows = value as { name: string; effect: string }[];
    assert.deepEqual(
      rows.map(({ effect }) => effect),
      ["write", "read", "destroy", "destroy", "read", "destroy"],
    );
  });
  await t.step("ot.help shows it where a tool is whole", async () => {
    const help = async (query: string) => {
      const command = `ot.help(query=${JSON.stringify(query)})`;
      return String((await (await gateway.post("/run", { command })).json()).value);
    };
    assert.match(await help("shop.get_rid"), /^Effect: destroy$/m);
    assert.match(await help("is declared twice"), /^Effect: destroy$/m);
  });
});

Deno.test("doctor points to servers none of whose tools says its effect", async () => {
  await using folders = await openFolders({});
  const { project, home } = folders;
  const server = async (name: string, tools: readonly (typeof TOOLS[number])[]) => {
    const file = join(project, `${name}.json`);
    await Deno.writeTextFile(file, JSON.stringify(tools));
    const args = ["run", "--allow-all", "--quiet", "--no-config", "--no-lock", SERVER, file];
    return { command: Deno.execPath(), args };
  };
  const plain = TOOLS.filter(({ name }) => name === "plain" || name === "get_one");
  const servers = {
    mute: await server("mute", plain),
    declared: { ...await server("declared", plain), effects: { "get_*": "read" } },
    shop: await server("shop", TOOLS),
  };
  await Deno.mkdir(join(project, ".onetool"), { recursive: true });
  await Deno.writeTextFile(join(project, ".onetool/onetool.yaml"), JSON.stringify({ servers }));
  const { stdout } = await caught(["doctor", "--json"], { home, cwd: project, gateway: true });
  const rows: { check: string; message: string; fix: string }[] = JSON.parse(stdout);
  const [row, ...others] = rows.filter(({ check }) => check.startsWith("effects "));
  assert.deepEqual([row?.check, others], ["effects mute", []]);
  assert.match(row?.message ?? "", /None of its 2 tools says what it does: each counts as write/);
  assert.match(row?.fix ?? "", /toolscript effects mute$/);
});

Deno.test("an effect that is none of the three is an error of the configuration", async () => {
  const project = await Deno.makeTempDir({ prefix: "toolscript-effects-" });
  const home = await Deno.makeTempDir({ prefix: "toolscript-home-" });
  const text = "servers:\n  shop:\n    command: x\n    effects: { get: reads }\n";
  await Deno.writeTextFile(join(project, "onetool.yaml"), text);
  const { code, stderr } = await caught(["list", "--config", "onetool.yaml"], {
    home,
    cwd: project,
  });
  assert.equal(code, 2);
  assert.match(stderr, /onetool\.yaml:4:21.*it must be "read" or "write" or "destroy"/s);
  await Deno.remove(project, { recursive: true });
  await Deno.remove(home, { recursive: true });
});
