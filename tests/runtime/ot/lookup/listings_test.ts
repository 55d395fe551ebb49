import assert from "node:assert/strict";
import { setImmediate } from "node:timers/promises";
import { silent } from "#base";
import { createRegistry, nameTools, type Pack, signature } from "#packs";
import { readCorpus } from "../../../support/corpus.ts";
import { listTools } from "../../../../runtime/ot/lookup/listings.ts";

interface Listed {
  readonly name: string;
  readonly signature: string;
  readonly description: string;
  readonly source: string;
  readonly args?: readonly string[];
  readonly example: string;
}

function packOf(name: string, tools: ReturnType<Pack["tools"]>): Pack {
  return {
    name,
    source: `proxy:${name}`,
    tools: () => tools,
    status: () => ({ state: "connected", transport: "stdio", error: null }),
    call: () => Promise.reject(new Error("Nothing is called in this test")),
    settle: () => Promise.resolve(),
    onChange: () => () => {},
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}

Deno.test("OT-05 OT-06 every tool of public servers has a signature and an example", async () => {
  const packs = (await readCorpus()).map(({ name, tools }) => packOf(name, tools));
  await using registry = createRegistry(packs, { log: silent });
  const list = async () =>
    await listTools({ registry: () => registry, inTurn: registry.pace }, {
      info: "full",
    }) as unknown as Listed[];
  const listed = await list();
  assert.ok(listed.length > 1_000);
  for (const tool of listed) {
    assert.ok(tool.signature.startsWith(`${tool.name}(`) && tool.signature.endsWith(")"));
    assert.ok(!/\n|undefined|\[object/.test(tool.signature), tool.signature);
    assert.ok(tool.example.startsWith(`${tool.name}(`), tool.example);
    assert.match(tool.source, /^proxy:/);
  }
  assert.deepEqual(await list(), listed, "the order stays");
});

Deno.test("OT-06 required parameters come first, optional ones show a default or '...'", () => {
  const { entries } = nameTools([{
    name: "github",
    source: "proxy:github",
    tools: [{
      name: "search",
      description: "",
      inputSchema: {
        type: "object",
        properties: {
          repo: { type: "string" },
          limit: { type: ["integer", "null"], default: 5 },
          query: { $ref: "#/$defs/q" },
        },
        required: ["query"],
        $defs: { q: { type: "string" } },
      },
    }],
  }]);
  const [entry] = entries;
  assert.ok(entry);
  assert.equal(
    signature("github", entry.spec, { placeholder: "'...'" }),
    "github.search(query: string, repo?: string = '...', limit?: number | null = 5)",
  );
  assert.equal(
    signature("github", entry.spec),
    "github.search(query: string, repo?: string, limit?: number | null = 5)",
  );
});

Deno.test("listTools() lets others go on between pieces", async () => {
  const tools = Array.from({ length: 30_000 }, (_, at) => ({
    name: `tool_${at}`,
    description: "",
    inputSchema: { type: "object" },
  }));
  await using registry = createRegistry([packOf("many", tools)], { log: silent });
  let turns = 0;
  let isDone = false;
  const counting = (async () => {
    for (; !isDone; turns++) await setImmediate();
  })();
  const listed = await listTools({ registry: () => registry, inTurn: registry.pace }, {
    info: "full",
  });
  isDone = true;
  await counting;
  assert.equal((listed as unknown[]).length, 30_000);
  assert.ok(turns >= 20, `${turns}`);
});
