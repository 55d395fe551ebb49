/** Which calls of a plan one answer covers. */

import assert from "node:assert/strict";
import { createApprovals } from "../../../runtime/run/approval/approvals.ts";
import { askPlan } from "../../../runtime/run/plan/ask_plan.ts";

const call = (body: string) => ({
  tool: "mail.send",
  arguments: { body },
  line: undefined,
  effect: "write" as const,
});

Deno.test("a yes to a plan covers no call that was not shown whole", async () => {
  const many = Array.from({ length: 500 }, (_, at) => call(`hello ${at}`));
  const rows = {
    "behind the last that is shown": [...many, call("secrets")],
    "longer than its line": [...many.slice(0, 40), call(`secrets ${"x".repeat(200)}`)],
  };
  for (const [name, calls] of Object.entries(rows)) {
    const approvals = createApprovals(new Map());
    let count = 0;
    const refusal = await askPlan({ calls, uncertain: false, isQuestioned: true, isCut: false }, {
      run: "r_1",
      inbox: {
        ask(question) {
          assert.ok(question.kind === "plan");
          assert.equal(question.uncertain, true);
          count = question.calls.length;
          return Promise.resolve({ allow: "all" as const, from: { via: "terminal" as const } });
        },
        address: () => undefined,
      },
      approvals,
      signal: new AbortController().signal,
    });
    assert.equal(refusal, undefined, name);
    assert.equal(count, calls.length - 1, name);
    const question = (at: number) => calls.at(at) ?? assert.fail();
    assert.equal(approvals.cover(question(0)), true, name);
    assert.equal(approvals.cover(question(-1)), false, name);
    assert.equal(approvals.isLeftOut(question(-1)), false, name);
  }
});
