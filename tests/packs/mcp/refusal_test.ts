import assert from "node:assert/strict";
import { answerQuestion, showQuestions, showRefusal } from "../../../packs/mcp/call/questions.ts";
import { PackError } from "#packs";

Deno.test("showRefusal() counts addresses before it looks at them", () => {
  const untouched = new Proxy({}, {
    get: () => assert.fail("read"),
    ownKeys: () => assert.fail("read"),
  });
  const data = { elicitations: Array(17).fill(untouched) };
  const refusal = { kind: "rpc" as const, code: -32_042, message: "m", data };
  assert.throws(() => showRefusal(refusal, "s"), /it asks 17 questions at once: at most 16/);
});

Deno.test("a question whose method or message is no text, or a long one, is refused in few words", async () => {
  const unprintable = { toString: 1, valueOf: 1 };
  const few = (error: Error) => error instanceof PackError && error.message.length < 3_000;
  for (const method of [Array(1_000_000).fill({}), "x".repeat(1_000_000), unprintable]) {
    const inputRequests = { a: { method, params: {} } };
    assert.throws(() => showQuestions({ resultType: "input_required", inputRequests }, "s"), few);
  }
  const long = { method: "x".repeat(1_000_000), params: {} };
  await assert.rejects(answerQuestion(long, { server: "s", caller: undefined }), few);
  for (const message of [[{}], unprintable]) {
    const params = { mode: "url", url: "https://a.test/", message };
    const inputRequests = { a: { method: "elicitation/create", params } };
    const result = showQuestions({ resultType: "input_required", inputRequests }, "s");
    const { a } =
      (result as { inputRequests: { a: { params: { message: string } } } }).inputRequests;
    assert.equal(a.params.message, 'The server "s" asks:\n> ');
  }
});
