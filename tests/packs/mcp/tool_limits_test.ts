/** Tools at the limits: one that was kept passes again when it is read back. */

import assert from "node:assert/strict";
import { readTool, readToolList } from "../../../packs/mcp/tools/tool_list.ts";

const MB = 1024 * 1024;

type Entry = Record<string, unknown>;

/** A tool of the longest text with which it is kept. */
function longest(make: (text: string) => Entry): Entry {
  let [kept, refused] = [0, 2 * MB];
  while (refused - kept > 1) {
    const middle = Math.floor((kept + refused) / 2);
    if ("inputSchema" in readTool(make("x".repeat(middle)))) kept = middle;
    else refused = middle;
  }
  return make("x".repeat(kept));
}

const KINDS: Record<string, (text: string) => Entry> = {
  "without a description": (text) => ({ name: "t", inputSchema: { $comment: text } }),
  "with a description": (text) => ({ name: "t", description: text, inputSchema: {} }),
  "with a description that is no text": (text) => ({
    name: "t",
    description: 7,
    inputSchema: { $comment: text },
  }),
  "with fields that are not kept": (text) => ({
    name: "t",
    inputSchema: { $comment: text },
    icons: ["i"],
    _meta: { more: [1, 2] },
  }),
  "with a title, a result and annotations": (text) => ({
    name: "t",
    title: text,
    inputSchema: {},
    outputSchema: { type: "object" },
    annotations: { readOnlyHint: true },
  }),
  "with a result that is not kept": (text) => ({
    name: "t",
    inputSchema: { $comment: text },
    outputSchema: { $ref: "#" },
  }),
};

for (const [kind, make] of Object.entries(KINDS)) {
  Deno.test(`the longest tool ${kind} passes when it is read back`, () => {
    const tool = readTool(longest(make));
    assert.ok("inputSchema" in tool);
    assert.deepEqual(readTool(JSON.parse(JSON.stringify(tool))), tool);
  });
}

Deno.test("a tool has at most 20,000 lists, objects and fields, wherever they are", async () => {
  const lists = (count: number) => ({ enum: Array.from({ length: count - 2 - 5 }, () => []) });
  const fields = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`f${at}`, 1]));
  const deep = { anyOf: Array.from({ length: 10_000 }, () => ({ enum: [] })) };
  const entries = [
    { name: "most", inputSchema: lists(20_000) },
    { name: "over", inputSchema: lists(20_001) },
    { name: "fields", inputSchema: { properties: fields(20_000) } },
    { name: "inner", inputSchema: deep },
    { name: "result", inputSchema: {}, outputSchema: lists(20_000) },
    { name: "annotations", inputSchema: {}, annotations: lists(20_000) },
    { name: "values", inputSchema: { enum: Array(100_000).fill(1) } },
  ];
  const { tools, problems } = await readToolList(() => Promise.resolve({ tools: entries }));
  assert.deepEqual(tools.map(({ name }) => name), ["most", "values"]);
  const reason = "it has over 20000 lists, objects and fields";
  const left = ["over", "fields", "inner", "result", "annotations"].map((tool) => ({
    tool,
    reason,
  }));
  assert.deepEqual(problems, left);
});

Deno.test("of all tools of a server, some 500,000 lists, objects and fields are kept", async () => {
  const inputSchema = { enum: Array.from({ length: 19_000 }, () => []) };
  const entries = Array.from({ length: 40 }, (_, at) => ({ name: `t${at}`, inputSchema }));
  const { tools, problems } = await readToolList(() => Promise.resolve({ tools: entries }));
  assert.equal(tools.length, 27);
  const reason = "the list has over 500000 lists, objects and fields";
  assert.deepEqual(problems, [{ tool: null, reason }]);
});
