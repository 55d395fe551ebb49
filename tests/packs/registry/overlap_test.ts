import assert from "node:assert/strict";
import { overlappingServer, type Pack, type PackState, standsBackNow } from "#packs";
import { readCorpus } from "../../support/corpus.ts";

interface Facts {
  readonly source?: string;
  readonly tools?: readonly string[];
  readonly state?: PackState;
  readonly standsBack?: boolean;
}

function packOf(name: string, facts: Facts = {}): Pack {
  const { source = `proxy:${name}`, tools = [], state = "connected", standsBack } = facts;
  return {
    name,
    source,
    yields: source === "local",
    standsBack,
    tools: () => tools.map((tool) => ({ name: tool, description: "", inputSchema: {} })),
    status: () => ({ state, transport: "local", error: null }),
    call: () => Promise.reject(new Error("Nothing is called in this test")),
    settle: () => Promise.resolve(),
    onChange: () => () => {},
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}

function builtin(name: string, standsBack = true): Pack {
  return packOf(name, { source: "local", standsBack });
}

Deno.test("overlappingServer() finds a server by its name or by two of its tools", async (t) => {
  const rows: [pack: string, server: Pack, isSame: boolean][] = [
    ["file", packOf("filesystem"), true],
    ["file", packOf("desk", { tools: ["read_file", "write-file"] }), true],
    ["file", packOf("desk", { tools: ["read_file"] }), false],
    ["file", packOf("profile"), false],
    ["git", packOf("my-git"), true],
    ["git", packOf("github", { tools: ["create_branch"] }), false],
    ["db", packOf("postgres", { tools: ["query"] }), true],
    ["text", packOf("text_tools"), false],
    ["file", packOf("filesystem", { state: "disabled" }), false],
    ["file", packOf("filesystem", { source: "worker" }), false],
  ];
  for (const [name, server, isSame] of rows) {
    await t.step(`${name} beside ${server.name}: ${isSame}`, () => {
      const pack = builtin(name);
      assert.equal(overlappingServer(pack, [pack, server]), isSame ? server : undefined);
    });
  }
});

Deno.test("overlappingServer() knows public servers", async () => {
  const servers = (await readCorpus()).map(({ name, tools }) =>
    packOf(name, { tools: tools.map((tool) => tool.name) })
  );
  const beside = (name: string) => {
    const pack = builtin(name);
    return servers.filter((server) => overlappingServer(pack, [server])).map(({ name }) => name);
  };
  assert.ok(beside("file").includes("filesystem"), String(beside("file")));
  assert.ok(beside("db").includes("postgres"), String(beside("db")));
  for (const name of ["github", "playwright", "memory", "linear"]) {
    assert.ok(!["file", "git", "db", "web"].some((pack) => beside(pack).includes(name)), name);
  }
});

Deno.test("standsBackNow() is true while the server is connected, in the mode auto", () => {
  const server = (state: PackState) => packOf("filesystem", { state });
  assert.equal(standsBackNow(builtin("file"), [server("connected")]), true);
  assert.equal(standsBackNow(builtin("file"), [server("disconnected")]), false);
  assert.equal(standsBackNow(builtin("file"), [server("connecting")]), false);
  assert.equal(standsBackNow(builtin("file", false), [server("connected")]), false);
  assert.equal(standsBackNow(builtin("grep"), [server("connected")]), false);
});
