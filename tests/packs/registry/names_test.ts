/** Names of packs and tools, on the wire and in code. */

import assert from "node:assert/strict";
import { camelCase, nameTools, packProperties, type ToolEntry, toolProperties } from "#packs";

function name(packs: Record<string, readonly string[]>) {
  return nameTools(
    Object.entries(packs).map(([pack, tools]) => ({
      name: pack,
      source: `proxy:${pack}`,
      tools: tools.map((tool) => ({ name: tool, description: "", inputSchema: {} })),
    })),
  );
}

const wires = (entries: readonly ToolEntry[]) => entries.map((entry) => entry.wire);
const keys = (entries: readonly ToolEntry[]) => entries.map((entry) => entry.toolKey);

Deno.test("TSX-20 camelCase() makes an identifier of every name", async (t) => {
  const table: Record<string, string> = {
    create_issue: "createIssue",
    createIssue: "createIssue",
    "get-library-docs": "getLibraryDocs",
    "API-get-user": "apiGetUser",
    API_KEY: "apiKey",
    HTTPGet: "httpGet",
    GET: "get",
    S3: "s3",
    listPRs: "listPRs",
    "files.list/all": "filesListAll",
    "3d_render": "_3dRender",
    "größe_ändern": "größeÄndern",
    "読む": "読む",
    "": "tool",
    "🚀": "tool",
    "a\ud800b": "aB",
    "a\u202eb": "aB",
    "a`${x}*/": "a$X",
    ["__proto__"]: "proto",
    delete: "delete",
  };
  for (const [from, to] of Object.entries(table)) {
    await t.step(JSON.stringify(from), () => {
      const key = camelCase(from);
      assert.equal(key, to);
      assert.match(key, /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u);
    });
  }
});

Deno.test("nameTools() gives the later of two equal wire names a number", () => {
  const { entries, warnings } = name({ a: ["b__c"], "a__b": ["c"], "a__": ["b__c"], "x": ["y"] });
  assert.deepEqual(wires(entries), ["a__b__c", "a__b__c__2", "a____b__c", "x__y"]);
  assert.equal(warnings.filter((warning) => warning.includes("a__b__c__2")).length, 1);
});

Deno.test("nameTools() counts on where a numbered name exists already", () => {
  const { entries } = name({ a: ["b", "b", "b__2", "b"] });
  assert.deepEqual(wires(entries), ["a__b", "a__b__2", "a__b__2__2", "a__b__3"]);
  assert.equal(new Set(keys(entries)).size, 4);
});

Deno.test("TSX-20 tools that collide after conversion both stay reachable", () => {
  const { entries, warnings } = name({ a: ["create_issue", "createIssue", "create-issue"] });
  assert.deepEqual(keys(entries), ["createIssue_2", "createIssue", "createIssue_3"]);
  assert.equal(warnings.length, 2);
  const properties = toolProperties(entries);
  assert.equal(properties.get("createIssue")?.tool, "createIssue");
  assert.equal(properties.get("create_issue")?.tool, "create_issue");
  assert.equal(properties.get("createIssue_2")?.tool, "create_issue");
  assert.equal(properties.get("createIssue_3")?.tool, "create-issue");
});

Deno.test("nameTools() adds snake_case where it is a further name and no other tool's", () => {
  const tools = ["get-tiny-image", "getSum", "list_all", "echo", "a-b", "aB", "c-d", "c_d", "e.f"];
  const { entries } = name({ a: [...tools, "Then", "9-x"] });
  const snakes = entries.flatMap(({ tool, snakeKey }) => snakeKey ? [[tool, snakeKey]] : []);
  assert.deepEqual(snakes, [["get-tiny-image", "get_tiny_image"], ["getSum", "get_sum"], [
    "e.f",
    "e_f",
  ]]);
  const properties = toolProperties(entries);
  assert.equal(properties.get("get_tiny_image")?.tool, "get-tiny-image");
  assert.equal(properties.get("c_d")?.tool, "c_d");
  assert.equal(properties.has("a_b"), false);
  const packs = name({ "my-files": ["a"], "c-d": ["a"], c_d: ["a"] }).entries;
  assert.deepEqual(packs.map(({ packSnake }) => packSnake), ["my_files", undefined, undefined]);
  assert.equal(packProperties(packs).get("my_files"), "my-files");
  assert.equal(packProperties(packs).get("c_d"), "c_d");
});

Deno.test("nameTools() gives names that the language calls a key beside them", () => {
  const { entries } = name({ a: ["then", "to_string", "toJSON", "then_", "constructor"] });
  assert.deepEqual(keys(entries), ["then__2", "toString_", "toJSON_", "then_", "constructor"]);
  const properties = toolProperties(entries);
  for (const hook of ["then", "toJSON"]) assert.equal(properties.get(hook)?.tool, hook);
  assert.equal(properties.has("toString"), false);
  assert.equal(properties.get("then_")?.tool, "then_");
});

Deno.test("nameTools() makes pack keys that can be variables", () => {
  const { entries } = name({
    "my-pack": ["a"],
    class: ["a"],
    myPack: ["a"],
    tools: ["a"],
    "1st": ["a"],
    eval: ["a"],
    fetch: ["a"],
  });
  const packKeys = entries.map((entry) => entry.packKey);
  assert.deepEqual(
    packKeys,
    ["myPack_2", "class_", "myPack", "tools_", "_1st", "eval_", "fetch"],
  );
  for (const key of packKeys) new Function(`"use strict"; const ${key} = 1; return ${key}`);
  const properties = packProperties(entries);
  assert.equal(properties.get("my-pack"), "my-pack");
  assert.equal(properties.get("myPack_2"), "my-pack");
  assert.equal(properties.get("myPack"), "myPack");
  assert.equal(properties.get("class"), "class");
});

Deno.test("nameTools() keeps the order, survives strange names and says the same twice", () => {
  const strange = ["__proto__", "", "", "a\ud800", "constructor", "prototype", "hasOwnProperty"];
  const first = name({ p: strange });
  assert.deepEqual(first.entries.map((entry) => entry.tool), strange);
  assert.equal(new Set(wires(first.entries)).size, strange.length);
  assert.equal(new Set(keys(first.entries)).size, strange.length);
  for (const wire of wires(first.entries)) encodeURIComponent(wire);
  assert.deepEqual(first, name({ p: strange }));
});

Deno.test("nameTools() takes ten thousand tools of one name", () => {
  const { entries } = name({ p: Array.from({ length: 10_000 }, () => "same") });
  assert.equal(new Set(wires(entries)).size, 10_000);
  assert.equal(new Set(keys(entries)).size, 10_000);
});
