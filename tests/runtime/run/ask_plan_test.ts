/** Which calls of a plan one answer covers. */

import assert from "node:assert/strict";
import { createApprovals } from "../../../runtime/run/approval/approvals.ts";
import type { OpenQuestion, PlanQuestion } from "../../../runtime/inbox/types.ts";
import { askPlan } from "../../../runtime/run/plan/ask_plan.ts";
import { planQuestionText } from "../../../runtime/run/plan/plan_text.ts";

const call = (body: string) => ({
  tool: "mail.send",
  arguments: { body },
  line: undefined,
  effect: "write" as const,
});

const answered = { allow: "all" as const, from: { via: "terminal" as const } };

function options(onAsk: (question: PlanQuestion) => Promise<typeof answered>) {
  return {
    run: "r_1",
    inbox: {
      ask(question: OpenQuestion) {
        assert.ok(question.kind === "plan");
        return onAsk(question);
      },
      address: () => undefined,
    },
    approvals: createApprovals(new Map()),
  };
}

const made = (calls: readonly ReturnType<typeof call>[]) => {
  return { calls, uncertain: false, isQuestioned: true, isCut: false };
};

Deno.test("a yes to a plan covers no call behind the last that is shown", async () => {
  const calls = Array.from({ length: 501 }, (_, at) => call(`hello ${at}`));
  let count = 0;
  const asking = options((question) => {
    assert.equal(question.uncertain, true);
    count = question.calls.length;
    return Promise.resolve(answered);
  });
  const { signal } = new AbortController();
  assert.equal(await askPlan(made(calls), { ...asking, signal }), undefined);
  assert.equal(count, 500);
  const { approvals } = asking;
  const question = (at: number) => calls.at(at) ?? assert.fail();
  assert.equal(approvals.cover(question(0)), true);
  assert.equal(approvals.cover(question(-1)), false);
  assert.equal(approvals.isLeftOut(question(-1)), false);
});

Deno.test("a plan of many long calls is one question, with every key", async () => {
  const calls = Array.from({ length: 100 }, (_, at) => call(`${at} ${"x".repeat(5_000)}`));
  let text = "";
  const asking = options((question) => {
    text = planQuestionText({
      calls: question.calls.map(({ line = null, ...call }) => ({ ...call, line })),
      uncertain: question.uncertain === true,
      incomplete: false,
    });
    return Promise.resolve(answered);
  });
  const { signal } = new AbortController();
  assert.equal(await askPlan(made(calls), { ...asking, signal }), undefined);
  for (const [at, planned] of calls.entries()) {
    assert.match(text, new RegExp(`"body": "${at} x`));
    assert.equal(asking.approvals.cover(planned), true);
  }
  assert.match(text, /^Allow these 100 calls\?\n/);
  assert.ok(text.length < 80_000, String(text.length));
});

Deno.test("a run that is cancelled while its plan waits is told so", async () => {
  const stop = new AbortController();
  const asking = options(() => new Promise(() => {}));
  const pending = askPlan(made([call("a")]), { ...asking, signal: stop.signal });
  stop.abort();
  await assert.rejects(pending, { name: "RunRefused", code: "cancelled" });
});
