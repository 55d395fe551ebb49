/** Questions of one answer of a server: what is kept of them while a person thinks is bounded. */

import assert from "node:assert/strict";
import { readQuestions } from "../../../packs/mcp/call/questions.ts";

const FORM = {
  method: "elicitation/create",
  params: {
    mode: "form",
    message: "Which?",
    requestedSchema: { type: "object", properties: { a: { type: "string" } } },
  },
};

function sampling(messages: readonly unknown[]) {
  return { method: "sampling/createMessage", params: { messages } };
}

function resultOf(inputRequests: Readonly<Record<string, unknown>>) {
  return { resultType: "input_required", inputRequests };
}

const MANY = Array.from({ length: 60_000 }, () => ({}));
const LONG = [{ role: "user", content: { type: "text", text: "x".repeat(400_000) } }];

const ROWS: Readonly<
  Record<string, readonly [requests: Record<string, unknown>, keys: string[]]>
> = {
  "a question that nobody can answer": [{
    a: FORM,
    b: { method: `x${"y".repeat(5_000)}`, params: { j: MANY } },
  }, ["a"]],
  "a question of many values": [{ a: FORM, b: sampling(MANY), c: FORM }, ["a", "c"]],
  "a form with much beside it": [{ a: { ...FORM, params: { ...FORM.params, b: MANY } } }, []],
  "questions that are too long together": [
    { a: sampling(LONG), b: sampling(LONG), c: sampling(LONG), d: FORM },
    ["a", "b", "d"],
  ],
  "questions of too many values together": [
    { a: sampling(MANY.slice(0, 30_000)), b: sampling(MANY.slice(0, 30_000)) },
    ["a"],
  ],
};

for (const [name, [requests, keys]] of Object.entries(ROWS)) {
  Deno.test(`readQuestions() keeps little of ${name}`, () => {
    const { questions = [] } = readQuestions(resultOf(requests), "server") ?? {};
    assert.deepEqual(questions.map(([key]) => key), Object.keys(requests));
    const kept = questions.filter(([, { safe }]) => safe !== undefined);
    assert.deepEqual(kept.map(([key]) => key), keys);
    assert.ok(questions.every(([, { method }]) => method.length <= 1_000));
  });
}

Deno.test("readQuestions() gives nothing for a result without questions", () => {
  assert.equal(readQuestions({ resultType: "complete", content: [] }, "server"), undefined);
  assert.equal(readQuestions("text", "server"), undefined);
});
