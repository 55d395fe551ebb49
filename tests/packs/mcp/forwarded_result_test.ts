import assert from "node:assert/strict";
import { forwardedResult } from "../../../packs/mcp/call/forwarded_result.ts";
import { countTurns } from "../../support/turns.ts";

Deno.test("forwardedResult() takes what the protocol allows", async () => {
  const link = { type: "resource_link", uri: "a:b", name: "c", icons: [] };
  const text = { type: "text", text: "a", annotations: { priority: 1 }, extra: 1 };
  const file = { type: "resource", resource: { uri: "a:b", blob: "" } };
  const results = [
    {},
    { content: [], isError: true, _meta: {}, extra: 1 },
    { content: [text, { type: "audio", data: "", mimeType: "a/b" }, link, file] },
    { resultType: "input_required", content: [{}] },
  ];
  for (const result of results) {
    assert.deepEqual(await forwardedResult(result, "s.t"), { value: null, result });
  }
});

Deno.test("forwardedResult() refuses all else, and names the first flaw", async () => {
  const flaws: readonly [result: unknown, flaw: RegExp][] = [
    [[], /it is not an object/],
    [{ isError: "yes" }, /its isError/],
    [{ _meta: [] }, /its _meta/],
    [{ content: "text" }, /its content is not a list/],
    [{ content: [{ type: "text", text: "" }, {}] }, /block 2 of its content/],
    [{ content: [null] }, /block 1/],
    [{ content: [{ type: "text", text: [{}] }] }, /block 1/],
    [{ content: [{ type: "image", data: "" }] }, /block 1/],
    [{ content: [{ type: "video", data: "" }] }, /block 1/],
    [{ content: [{ type: "resource", resource: { uri: "a:b" } }] }, /block 1/],
  ];
  for (const [result, flaw] of flaws) {
    await assert.rejects(forwardedResult(result, "s.t"), (error: Error) => {
      assert.match(error.message, flaw);
      return error.message.length < 200;
    });
  }
});

Deno.test("forwardedResult() makes way for other work", async () => {
  const content = Array(1_000_000).fill({ type: "text", text: "" });
  const { turns } = await countTurns(() => forwardedResult({ content }, "s.t"));
  assert.ok(turns > 1, `${turns}`);
});
