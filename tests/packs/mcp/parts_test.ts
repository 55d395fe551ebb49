/** The small parts of the MCP packs, where a table says it best. */

import assert from "node:assert/strict";
import { ChunkReader, type JsonValue, LineTooLong, readLines } from "#base";
import { childEnvironment, type PackError } from "#packs";
import { readAnswer, readCallResult, resultValue } from "../../../packs/mcp/call/call_result.ts";
import { Tail } from "../../../packs/process/tail.ts";
import { createToolFilter } from "../../../packs/mcp/tools/tool_filter.ts";

Deno.test("readCallResult() gives the value that a tool meant", async (t) => {
  const text = (...texts: string[]) => texts.map((text) => ({ type: "text", text }));
  const image = { type: "image", data: "aGk=", mimeType: "image/png" };
  const link = { type: "resource_link", uri: "file:///a", name: "a" };
  const cases: readonly [name: string, result: unknown, value: unknown, content?: unknown][] = [
    ["plain text", { content: text("hi") }, "hi"],
    ["several texts", { content: text("a", "b") }, "a\nb"],
    ["an object as text", { content: text(' {"a": [1]}') }, { a: [1] }],
    ["an array as text", { content: text("[1, 2]") }, [1, 2]],
    ["a number as text stays text", { content: text("17") }, "17"],
    ["a quoted text stays text", { content: text('"x"') }, '"x"'],
    ["what only begins like JSON", { content: text("[draft] x") }, "[draft] x"],
    ["structured content first", { content: text("x"), structuredContent: { a: 1 } }, { a: 1 }],
    ["structured null is none", { content: text("x"), structuredContent: null }, "x"],
    ["an image alone", { content: [image] }, image, [image]],
    ["two images", { content: [image, image] }, [image, image], [image, image]],
    ["text and a link", { content: [...text("see"), link] }, "see", [...text("see"), link]],
    ["nothing", { content: [] }, null],
    ["no content at all", {}, null],
    ["the oldest form", { toolResult: { a: 1 } }, { a: 1 }],
    ["broken blocks", { content: [null, 7, ...text("ok")] }, "ok"],
  ];
  for (const [name, result, value, content] of cases) {
    await t.step(name, () => {
      const read = readCallResult(result, "a.b");
      assert.deepEqual(read.value, value);
      assert.deepEqual(read.content, content);
    });
  }
});

Deno.test("readCallResult() throws the error that a tool reports", () => {
  const content = [{ type: "text", text: "x".repeat(10_000) }];
  const failed = (error: PackError) => {
    assert.equal(error.code, "tool_error");
    assert.ok(error.message.length < 3_000);
    assert.deepEqual(error.details, { content });
    return true;
  };
  assert.throws(() => readCallResult({ isError: true, content }, "a.b"), failed);
  assert.throws(() => readCallResult({ isError: true }, "a.b"), /gave no reason/);
  assert.throws(() => readCallResult("text", "a.b"), { code: "tool_error" });
});

Deno.test("resultValue() gives the value of a forwarded result, but of no large text", async (t) => {
  const blocks = (texts: readonly string[]) => texts.map((text) => ({ type: "text", text }));
  const list = (length: number) => `[${"{},".repeat(length)}{}]`;
  const pieces = (text: string) => text.match(/.{1,1000}/g) ?? [];
  const valueOf = (content: JsonValue) => resultValue({ value: null, result: { content } });
  const image = { type: "image", data: "", mimeType: "image/png" };
  const fits = list(66_000);
  const taken: readonly [name: string, content: JsonValue, value: unknown][] = [
    ["a text", blocks(["[1]"]), [1]],
    ["several texts", blocks(["a", "a"]), "a\na"],
    ["a text beside an image", [...blocks(["a"]), image], "a"],
    ["a list of 200 kB", blocks([fits]), JSON.parse(fits)],
    ["a list of 200 kB in blocks", blocks(pieces(fits)), JSON.parse(fits)],
  ];
  for (const [name, content, value] of taken) {
    await t.step(name, () => assert.deepEqual(valueOf(content), value));
  }
  const left: readonly [name: string, content: JsonValue][] = [
    ["a list of 300 kB", blocks([list(100_000)])],
    ["a list of 300 kB in blocks", blocks(pieces(list(100_000)))],
    ["a list of 24 MB in blocks", blocks(pieces(list(8_000_000)))],
    ["a large text among small ones", blocks(["a", list(100_000), "a"])],
    ["many blocks without text", blocks(Array(300_000).fill(""))],
  ];
  for (const [name, content] of left) {
    await t.step(`${name} is left`, () => assert.ok(valueOf(content) === undefined));
  }
});

Deno.test("a text that is none is not written", async () => {
  const hostile: unknown[] = [
    Array(1_000_000).fill({}),
    { toString: 1, valueOf: 1 },
    { a: 1 },
    null,
  ];
  for (const text of hostile) {
    const result = { content: [{ type: "text", text }, { type: "text", text: 5 }] };
    assert.equal(readCallResult(result, "a.b").value, "\n5");
    assert.equal((await readAnswer(result, "a.b")).value, "\n5");
  }
});

/** Names that a matcher of paths passes by. */
const HOSTILE = [
  ".",
  "..",
  "../x",
  "a/../b",
  "a\r",
  "\n",
  "a\nb",
  "x\u2028",
  "\u0085",
  "/",
  "😀",
  ".x",
];

Deno.test("createToolFilter() matches names by glob", () => {
  const cases: readonly [include: string[], exclude: string[], name: string, kept: boolean][] = [
    [[], [], "anything", true],
    [["get_*"], [], "get_x", true],
    [["get_*"], [], "set_x", false],
    [[], ["*_admin"], "user_admin", false],
    [["*"], ["a"], "a", false],
    [["*"], [], "dotted.and/slashed", true],
    [["{a,b}"], [], "b", true],
    [["{get,list}_{a,b{,_x}}"], [], "list_b_x", true],
    [["{get,list}_{a,b{,_x}}"], [], "list_c", false],
    [[], ["get_[ab]", "x?"], "get_b", false],
    [[], ["get_[!ab]"], "get_b", true],
    [[], ["{x}"], "x", true],
    ...HOSTILE.flatMap((name) =>
      ["*", "**", "{x,*}", "*[!~]"].map((pattern) =>
        [[], [pattern], name, false] as [string[], string[], string, boolean]
      )
    ),
    ...HOSTILE.map((name): [string[], string[], string, boolean] => [["*"], [], name, true]),
    [[], ["delete_*"], "delete_/../x", false],
    [[], ["delete_*"], "delete_x\ny", false],
    [[], ["*_admin"], "x\u2028_admin", false],
    [["get_*"], [], "get_/..", true],
    [[], ["get?x"], "get\nx", false],
    [[], ["{a,b}".repeat(50)], "x", false],
    [["{a,b}".repeat(50)], [], "x", false],
  ];
  for (const [include, exclude, name, kept] of cases) {
    assert.equal(createToolFilter({ include, exclude })(name), kept, name);
  }
});

Deno.test("childEnvironment() passes on only the variables that a program needs", () => {
  const gateway = {
    PATH: "/bin",
    https_proxy: "http://p",
    LC_TIME: "C",
    AWS_SECRET: "s",
    FOO: "1",
  };
  assert.deepEqual(childEnvironment(gateway, { PATH: "/opt", TOKEN: "t" }), {
    PATH: "/opt",
    https_proxy: "http://p",
    LC_TIME: "C",
    TOKEN: "t",
  });
});

Deno.test("readLines() splits at line breaks only, whatever the chunks", async () => {
  const bytes = new TextEncoder().encode('{"a":"ü"}\n\n{"b":2}\nrest');
  for (const size of [1, 2, 3, 7, 100]) {
    const lines = await Array.fromAsync(readLines(inChunks(bytes, size), 1_000));
    assert.deepEqual(lines, ['{"a":"ü"}', "", '{"b":2}', "rest"]);
  }
  await assert.rejects(Array.fromAsync(readLines(inChunks(bytes, 4), 6)), LineTooLong);
});

Deno.test("Tail keeps the end of a stream", async () => {
  const tail = new Tail(10);
  await tail.follow(inChunks(new TextEncoder().encode("x".repeat(1_000) + "the end"), 64));
  assert.equal(tail.text, "xxxthe end");
});

function inChunks(bytes: Uint8Array, size: number) {
  const starts = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) => index * size);
  const stream = new ReadableStream({
    type: "bytes",
    pull(controller) {
      const start = starts.shift();
      if (start !== undefined) return controller.enqueue(bytes.slice(start, start + size));
      controller.close();
      controller.byobRequest?.respond(0);
    },
  });
  return new ChunkReader(stream);
}
