/** Which calls of a plan one answer covers. */

import assert from "node:assert/strict";
import { ROW } from "#base";
import { createApprovals } from "../../../runtime/run/approval/approvals.ts";
import type { OpenQuestion, PlannedCall, PlanQuestion } from "../../../runtime/inbox/types.ts";
import { argumentLines } from "../../../runtime/run/approval/question_text.ts";
import { askPlan } from "../../../runtime/run/plan/ask_plan.ts";
import type { WrittenCall } from "../../../runtime/run/plan/planner.ts";
import { KEEPER } from "../../support/call_keeper.ts";
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
    approvals: createApprovals(KEEPER),
  };
}

const made = async (planned: readonly PlannedCall[]) => {
  const calls: WrittenCall[] = [];
  for (const call of planned) calls.push({ call, kept: await KEEPER.keep(call) });
  return { calls, uncertain: false, isQuestioned: true, isCut: false };
};

Deno.test("a plan of many calls is one question, which shows each as it would be shown alone", async () => {
  const rows = {
    "many short ones": Array.from({ length: 1_000 }, (_, at) => call(`hello ${at}`)),
    "long ones": Array.from({ length: 100 }, (_, at) => call(`${at} ${"x".repeat(5_000)} end`)),
    "values within values": Array.from({ length: 400 }, (_, at) => ({
      ...call("deep"),
      arguments: { to: [{ name: `person ${at}`, address: { mail: `${at}@example.org` } }] },
    })),
  };
  for (const [name, calls] of Object.entries(rows)) {
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
    assert.equal(await askPlan(await made(calls), { ...asking, signal }), undefined, name);
    assert.ok(text.startsWith(`Allow these ${calls.length} calls?\n`), name);
    for (const planned of calls) {
      const lines = argumentLines(planned.arguments, ROW - "  ".length).map((line) =>
        `  ${line}\n`
      );
      assert.ok(`${text}\n`.includes(lines.join("")), name);
      assert.equal(await asking.approvals.take(planned), "approved", name);
    }
  }
});

Deno.test("a plan that no question can show whole is refused without one", async () => {
  const many = Array.from({ length: 1_000 }, (_, at) => call(`${at} ${"x".repeat(1_000)}`));
  for (const plan of [await made(many), { ...await made([call("a")]), isCut: true }]) {
    const asking = options(() => assert.fail("asked"));
    const { signal } = new AbortController();
    const refused = await askPlan(plan, { ...asking, signal });
    assert.equal(refused?.error.code, "too_large");
    assert.match(refused.text, /Cannot run: .*more than one question can show: do less in one run/);
  }
});

Deno.test("a run that is cancelled while its plan waits is told so", async () => {
  const stop = new AbortController();
  const asking = options(() => new Promise(() => {}));
  const pending = askPlan(await made([call("a")]), { ...asking, signal: stop.signal });
  stop.abort();
  await assert.rejects(pending, { name: "RunRefused", code: "cancelled" });
});
