/** Schemas that were made to take long, or to fail, in help and listings: other tools are shown. */

import assert from "node:assert/strict";
import { silent } from "#base";
import { createRegistry, type Pack, type Registry, type ToolSpec } from "#packs";
import { createFinder } from "#runtime";
import type { LookupDeps } from "../../../../runtime/ot/deps.ts";
import { help } from "../../../../runtime/ot/lookup/help.ts";
import { listTools } from "../../../../runtime/ot/lookup/listings.ts";
import { longestTurn, usedMs } from "../../../support/turns.ts";

function packOf(name: string, tool: object): Pack {
  const spec = {
    name: "get",
    description: "Gets the weather",
    inputSchema: {},
    ...tool,
  } as ToolSpec;
  return {
    name,
    source: `proxy:${name}`,
    tools: () => [spec],
    status: () => ({ state: "connected", transport: "stdio", error: null }),
    call: () => Promise.reject(new Error("Nothing is called in this test")),
    settle: () => Promise.resolve(),
    onChange: () => () => {},
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}

function refs(count: number) {
  return Object.fromEntries(Array.from({ length: count }, (_, at) => [`p${at}`, { $ref: "#/y" }]));
}

const GOOD = packOf("good", {
  inputSchema: { type: "object", properties: { city: { type: "string" } } },
});
const itself = { type: "object", additionalProperties: { $ref: "#/$defs/d" } };
const map = { properties: { v: { $ref: "#/$defs/d" } }, $defs: { d: itself } };
const fields = Object.fromEntries(Array.from({ length: 9_000 }, (_, at) => [`x${at}`, 1]));
const HOSTILE: Record<string, object> = {
  "a long reference with stray signs": {
    inputSchema: { properties: refs(40), y: { $ref: `#/${"%/".repeat(250_000)}` } },
  },
  "a long reference of thousands of arguments": {
    inputSchema: { properties: refs(4_000), y: { $ref: `#/${"/".repeat(900_000)}` } },
  },
  "a wide schema of thousands of arguments": {
    inputSchema: { properties: refs(4_000), y: { anyOf: [{ ...fields, items: { $ref: "#/y" } }] } },
  },
  "many values of thousands of arguments": {
    inputSchema: {
      properties: refs(4_000),
      y: { enum: Array.from({ length: 90_000 }, (_, at) => at) },
    },
  },
  "a map of itself": { inputSchema: map },
  "a result that is a map of itself": { outputSchema: map },
};

/** What `help` and the listings need, over these packs. */
function lookup(registry: Registry): LookupDeps {
  const vocabulary = { alias: {}, snippets: {}, prompts: { packs: {} } };
  const finder = createFinder({ registry: () => registry, vocabulary: () => vocabulary });
  const parts = {
    finder,
    registry: () => registry,
    docs: { packs: {} },
    instructions: {},
    snippets: {},
  };
  const inTurn: LookupDeps["inTurn"] = (work) => registry.pace(work);
  return { ...parts, aliases: {}, inTurn } as unknown as LookupDeps;
}

async function answers(pack: Pack): Promise<{ words: string; exact: string; listed: unknown[] }> {
  await using registry = createRegistry([pack, GOOD], { log: silent });
  const deps = lookup(registry);
  return {
    words: await help(deps, { query: "weather" }) as string,
    exact: await help(deps, { query: ["bad.get", "bad"] }) as string,
    listed: await listTools(deps, { info: "full" }) as unknown[],
  };
}

for (const [name, tool] of Object.entries(HOSTILE)) {
  Deno.test(`help and listings show all tools quickly: ${name}`, async () => {
    const before = usedMs();
    const { words, exact, listed } = await answers(packOf("bad", tool));
    assert.ok(usedMs() - before < 3_000, `${usedMs() - before} ms`);
    assert.match(words, /^bad\.get\(/m);
    assert.match(words, /^good\.get\(city\?: string\)/m);
    assert.match(exact, /^bad\.get\(/m);
    assert.ok(listed.every((row) => JSON.stringify(row).includes('"signature"')));
  });
}

for (const [name, hold] of [["fails", false], ["does not end", true]] as const) {
  Deno.test(`a tool whose schema ${name} is named alone`, async () => {
    // Not small: a small one has no limit.
    const a = Object.defineProperty({ $comment: "x".repeat(9_000) }, "anyOf", {
      get(): unknown {
        while (hold);
        throw new RangeError("Maximum call stack size exceeded");
      },
    });
    const inputSchema = { type: "object", properties: { a } };
    const { words, exact, listed } = await answers(packOf("bad", { inputSchema }));
    assert.match(words, /^## bad\.get$/m);
    assert.match(words, /^good\.get\(city\?: string\)/m);
    assert.match(exact, /^bad\.get$/m);
    assert.equal(listed.length, 2);
    assert.deepEqual(listed[0], { name: "bad.get", description: "Gets the weather" });
  });
}

Deno.test("many calls of help about a large tool leave other work its turns", async () => {
  const field = (at: number) => {
    const properties = { text: { type: "string" }, size: { enum: ["s", "m", at] } };
    return { description: "x".repeat(50), anyOf: [{ type: "string" }, { properties }] };
  };
  const fields = Array.from({ length: 300 }, (_, at) => [`f${at}`, field(at)]);
  const schema = { type: "object", properties: Object.fromEntries(fields) };
  const pack = packOf("large", { inputSchema: schema, outputSchema: schema });
  await using registry = createRegistry([pack], { log: silent });
  const deps = lookup(registry);
  const before = usedMs();
  const end = longestTurn();
  const calls = Array.from({ length: 30 }, () => help(deps, { query: Array(5).fill("large.get") }));
  for (const text of await Promise.all(calls)) assert.match(String(text), /large\.get/);
  const [longest, all] = [end(), usedMs() - before];
  assert.ok(longest < all / 4, `${longest} of ${all} ms in one turn`);
});
