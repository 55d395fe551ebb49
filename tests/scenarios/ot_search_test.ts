/** OT: search and look-ups through HTTP, the command line and `ot.help`. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { caught } from "../cli/io.ts";
import { delay, openGateway, type TestGateway } from "../support/gateway.ts";
import { fixture, listingCommand, pinnedCommand } from "../support/servers.ts";

interface Result {
  readonly name: string;
  readonly kind: string;
  readonly description: string;
  readonly score: number;
}

function open(): Promise<TestGateway> {
  return openGateway({
    servers: { memory: pinnedCommand("memory"), filesystem: pinnedCommand("filesystem", ["."]) },
    alias: { recall: "memory.search_nodes" },
    snippets: {
      tidy: { description: "Throws away what a person no longer needs", body: "1" },
    },
    prompts: { packs: { memory: "Knows people and places." } },
    docs: { base_url: "https://docs.example/tools/", packs: { memory: "the graph" } },
  });
}

async function searched(gateway: TestGateway, query: string): Promise<Result[]> {
  const response = await gateway.fetch(`/search?${query}`);
  assert.equal(response.status, 200);
  const { results } = await response.json();
  return results;
}

Deno.test("OT-48 OT-49 GET /search ranks tools, packs, snippets and aliases", async (t) => {
  await using gateway = await open();
  await gateway.ready();

  await t.step("OT-49 best first, with a score of at most 1", async () => {
    const results = await searched(gateway, "q=delte+a+relation");
    assert.equal(results[0]?.name, "memory.delete_relations");
    assert.deepEqual(Object.keys(results[0] ?? {}), ["name", "kind", "description", "score"]);
    const scores = results.map(({ score }) => score);
    assert.deepEqual(scores, scores.toSorted((one, other) => other - one));
    assert.ok(scores.every((score) => score > 0 && score <= 1));
  });
  await t.step("OT-48 other words than the tool's own", async () => {
    const names = async (query: string) =>
      (await searched(gateway, `q=${encodeURIComponent(query)}&limit=5`)).map(({ name }) => name);
    assert.ok((await names("forget a fact")).includes("memory.delete_observations"));
    assert.ok((await names("make a new folder")).includes("filesystem.create_directory"));
    assert.ok((await names("dryRun")).includes("filesystem.edit_file"));
  });
  await t.step("each kind, the thing itself first", async () => {
    const first = async (query: string) => {
      const [{ name, kind, score } = {} as Partial<Result>] = await searched(gateway, `q=${query}`);
      return [name, kind, score];
    };
    assert.deepEqual(await first("memory"), ["memory", "pack", 1]);
    assert.deepEqual(await first("recall"), ["recall", "alias", 1]);
    assert.deepEqual(await first("%24tidy"), ["$tidy", "snippet", 1]);
    assert.deepEqual(await first("memory__read_graph"), ["memory.read_graph", "tool", 1]);
    assert.deepEqual(await first("memory.readGraph"), ["memory.read_graph", "tool", 1]);
  });
  await t.step("limit", async () => {
    assert.equal((await searched(gateway, "q=file&limit=3")).length, 3);
    assert.ok((await searched(gateway, "q=file")).length <= 10);
    assert.deepEqual(await searched(gateway, "q=xyznonexistent"), []);
  });
  for (const query of ["", "q=", "q=%20", "q=x&limit=0", "q=x&limit=ten", "q=x&limit=1e1"]) {
    await t.step(`bad_request: "${query}"`, async () => {
      const response = await gateway.fetch(`/search?${query}`);
      assert.equal(response.status, 400);
      assert.equal((await response.json()).error.code, "bad_request");
    });
  }
  await t.step("only with the token, only GET", async () => {
    const open = await fetch(`${gateway.url}/search?q=x`);
    assert.equal((await open.json()).error.code, "unauthorized");
    assert.equal((await gateway.post("/search?q=x", {})).status, 405);
  });
});

Deno.test("OT-48 a tool is found by its results, declared and learned, and by examples", async () => {
  const folder = await Deno.makeTempDir({ prefix: "toolscript-lists-" });
  const file = join(folder, "library.json");
  const inputSchema = {
    type: "object",
    properties: { page: { type: "string", examples: ["frontispiece"] } },
  };
  const outputSchema = { type: "object", properties: { shelfmark: { type: "string" } } };
  await Deno.writeTextFile(file, JSON.stringify([{ name: "flip", inputSchema, outputSchema }]));
  const { command, args } = fixture("returns");
  const shop = { command, args: [...args, "give"] };
  await using gateway = await openGateway({ servers: { library: listingCommand(file), shop } });
  await gateway.ready();
  await Deno.remove(folder, { recursive: true });
  const names = async (query: string) =>
    (await searched(gateway, `q=${query}`)).map(({ name }) => name);
  assert.equal((await names("shelfmark"))[0], "library.flip");
  assert.equal((await names("frontispiece"))[0], "library.flip");
  assert.ok(!(await names("quark")).includes("shop.give"));
  const result = { orders: [{ quarkName: "Ana" }] };
  await (await gateway.post("/tools/shop__give", { result })).body?.cancel();
  const deadline = performance.now() + 60_000;
  while ((await names("quark"))[0] !== "shop.give") {
    assert.ok(performance.now() < deadline, "learned within a minute");
    await delay(50);
  }
});

Deno.test("OT-43 to OT-54 search and help on the command line", async (t) => {
  await using gateway = await open();
  await gateway.ready();
  const env = { TOOLSCRIPT_GATEWAY_URL: gateway.url, TOOLSCRIPT_TOKEN: gateway.token };
  const at = { home: gateway.home, cwd: gateway.project, env };

  await t.step("search --json is the results of GET /search", async () => {
    const { code, stdout } = await caught(["search", "forget", "a", "fact", "--json"], at);
    assert.equal(code, 0);
    assert.deepEqual(JSON.parse(stdout), await searched(gateway, "q=forget+a+fact"));
  });
  await t.step("search for a person", async () => {
    const { stdout } = await caught(["search", "read the graph", "--limit", "2"], at);
    assert.match(stdout, /^memory\.read_graph\s+Read the entire knowledge graph\n/);
    assert.equal(stdout.trimEnd().split("\n").length, 2);
    const pack = await caught(["search", "memory", "--limit", "1"], at);
    assert.equal(pack.stdout, "memory  (pack) Knows people and places.\n");
  });
  await t.step("search finds nothing", async () => {
    const { code, stdout, stderr } = await caught(["search", "xyznonexistent"], at);
    const line = 'Nothing is like "xyznonexistent": browse with toolscript list\n';
    assert.deepEqual([code, stdout, stderr], [3, "", line]);
    const json = await caught(["search", "xyznonexistent", "--json"], at);
    assert.deepEqual([json.code, json.stdout], [3, "[]\n"]);
  });
  await t.step("OT-44 OT-53 help --json is what ot.help answers", async () => {
    const { code, stdout } = await caught(["help", "memory.search_nodes", "--json"], at);
    assert.equal(code, 0);
    assert.match(JSON.parse(stdout), /^## memory\.search_nodes\n/);
    assert.match(JSON.parse(stdout), /\nDocs: https:\/\/docs\.example\/tools\/the%20graph\/$/);
    const overview = await caught(["help", "--json"], at);
    assert.match(JSON.parse(overview.stdout), /^## Find\n/);
  });
  await t.step("OT-44 OT-45 OT-48 help for a person", async () => {
    const tool = await caught(["help", "filesystem.create_directory"], at);
    assert.match(tool.stdout, /^## filesystem\.create_directory\nCreate a new directory/);
    assert.match(tool.stdout, /\nfilesystem\.create_directory\(path: string\): \{/);
    assert.match(tool.stdout, /\nDocs: https:\/\/docs\.example\/tools\/filesystem\/\n/);
    const pack = await caught(["help", "memory"], at);
    assert.match(pack.stdout, /^## memory\nKnows people and places\.\nmemory\.create_entities\(/);
    const words = await caught(["help", "remove", "relations"], at);
    assert.match(words.stdout, /^## memory\.delete_relations\n/);
  });
  await t.step("OT-54 help finds nothing", async () => {
    const { code, stdout, stderr } = await caught(["help", "xyznonexistent"], at);
    assert.deepEqual([code, stdout], [3, ""]);
    assert.match(stderr, /Nothing is like "xyznonexistent"/);
    const json = await caught(["help", "xyznonexistent", "--json"], at);
    assert.match(JSON.parse(json.stdout), /^No matches for "xyznonexistent": /);
  });
});
