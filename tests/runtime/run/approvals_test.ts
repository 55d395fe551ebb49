import { deepEqual, equal, rejects } from "node:assert/strict";
import type { Args, CallQuestion, ToolEntry } from "#packs";
import type { Answer, Question } from "#runtime";
import { type Approvals, createApprovals } from "../../../runtime/run/approval/approvals.ts";
import { KEEPER } from "../../support/call_keeper.ts";
import { createRunQuestions } from "../../../runtime/run/approval/run_questions.ts";

const ENTRY: ToolEntry = {
  effect: "write",
  effectFrom: "default",
  wire: "git-hub__delete_repo",
  pack: "git-hub",
  packKey: "gitHub",
  tool: "delete_repo",
  toolKey: "deleteRepo",
  source: "proxy:git-hub",
  spec: {
    name: "delete_repo",
    description: "",
    inputSchema: { type: "object", properties: { name: {}, force: {} } },
  },
};

function call(args: Args): CallQuestion {
  return { tool: "git-hub.delete_repo", arguments: args, pattern: "*.delete_*", entry: ENTRY };
}

const TOOL = "git-hub.delete_repo";

async function approved(...calls: Question[]): Promise<Approvals> {
  const approvals = createApprovals(KEEPER);
  for (const one of calls) approvals.add(await KEEPER.keep(one));
  return approvals;
}

/** Takes these calls, one after the other; true for each that was covered. */
async function covered(approvals: Approvals, calls: readonly Args[]): Promise<boolean[]> {
  const taken: boolean[] = [];
  for (const args of calls) taken.push(await approvals.take(call(args)) === "approved");
  return taken;
}

Deno.test("createApprovals() covers each call with its arguments, once", async (t) => {
  const approve = (args: Args): Question => ({ tool: TOOL, arguments: args });
  const rows: [string, Question[], Args[], boolean[]][] = [
    ["nothing", [], [{}], [false]],
    [
      "the same arguments",
      [approve({ name: "a" })],
      [{ name: "b" }, { name: "a" }, { name: "a" }],
      [false, true, false],
    ],
    [
      "arguments in another order",
      [approve({ name: "a", force: true })],
      [{ force: true, name: "a" }],
      [true],
    ],
    ["two calls that are equal", [approve({}), approve({})], [{}, {}, {}], [true, true, false]],
    ["numbers in another form", [approve({ n: -0 })], [{ n: 0.0 }], [true]],
    ["a number that is a text", [approve({ n: 1 })], [{ n: "1" }], [false]],
    ["one argument more", [approve({})], [{ force: true }], [false]],
    ["another tool", [{ tool: "git-hub.delete", arguments: {} }], [{}], [false]],
    ["a builtin of that name", [{ kind: "code", tool: TOOL, arguments: {} }], [{}], [false]],
  ];
  for (const [name, questions, calls, expected] of rows) {
    await t.step(name, async () => {
      deepEqual(await covered(await approved(...questions), calls), expected);
    });
  }
});

Deno.test("createApprovals() tells a key __proto__ apart", async () => {
  const args = JSON.parse('{"__proto__": {"name": "a"}}');
  const approvals = await approved({ tool: TOOL, arguments: args });
  deepEqual(await covered(approvals, [{}, { name: "a" }, args]), [false, false, true]);
});

Deno.test("createApprovals() covers a tool for the whole run, where that was allowed", async () => {
  const approvals = await approved();
  approvals.widen(TOOL);
  deepEqual(await covered(approvals, [{ name: 1 }, { name: 2 }, { name: 3 }]), [true, true, true]);
});

Deno.test("createApprovals() knows the line of a tool that is called in one place", () => {
  const lines = (...numbers: number[]) => {
    return createApprovals({ ...KEEPER, lines: new Map([[TOOL, new Set(numbers)]]) });
  };
  equal(lines().lineOf(TOOL), undefined);
  equal(lines(3).lineOf(TOOL), 3);
  equal(lines(3, 4).lineOf(TOOL), undefined);
});

/** A run whose person answers when the test says so. */
function ask() {
  const questions: { question: Question; answer: (answer: Answer) => void }[] = [];
  let paused = 0;
  const runQuestions = createRunQuestions({
    approvals: createApprovals(KEEPER),
    person: (question) => new Promise((answer) => questions.push({ question, answer })),
    pause: () => {
      paused++;
      return () => paused--;
    },
    end: () => {},
  });
  return { runQuestions, questions, paused: () => paused };
}

const turn = () => new Promise((resolve) => setTimeout(resolve));

Deno.test("createRunQuestions() asks one question at a time, with the clock stopped", async () => {
  const { runQuestions, questions, paused } = ask();
  const { signal } = new AbortController();
  const verdicts = ["a", "b", "c"].map((name) => runQuestions.ask(call({ name }), { signal }));
  await turn();
  deepEqual(questions.map(({ question }) => question.arguments), [{ name: "a" }]);
  equal(paused(), 3);
  questions[0]?.answer("no");
  await turn();
  deepEqual(questions.map(({ question }) => question.arguments), [{ name: "a" }, { name: "b" }]);
  questions[1]?.answer("run");
  deepEqual(await Promise.all(verdicts), ["declined", "allowed", "allowed"]);
  deepEqual([questions.length, paused()], [2, 0]);
});

Deno.test("createRunQuestions() waits no longer than the call does", async () => {
  const { runQuestions, questions, paused } = ask();
  const ended = new AbortController();
  const { signal } = new AbortController();
  const first = runQuestions.ask(call({ name: "a" }), ended);
  const second = runQuestions.ask(call({ name: "b" }), { signal });
  await turn();
  ended.abort();
  await rejects(first, { code: "cancelled" });
  await turn();
  deepEqual(questions.map(({ question }) => question.arguments), [{ name: "a" }, { name: "b" }]);
  questions[1]?.answer("call");
  equal(await second, "allowed");
  equal(paused(), 0);
});

Deno.test("createRunQuestions() ends the run at the first call that cannot be asked about", async () => {
  let ended = 0;
  const runQuestions = createRunQuestions({
    approvals: createApprovals(KEEPER),
    pause: () => () => {},
    end: () => void ended++,
  });
  const { signal } = new AbortController();
  equal(runQuestions.unconfirmed(), undefined);
  for (const name of ["a", "b"]) {
    equal(await runQuestions.ask(call({ name }), { signal }), "unanswerable");
  }
  deepEqual(runQuestions.unconfirmed(), {
    question: { tool: TOOL, arguments: { name: "a" } },
    pattern: "*.delete_*",
  });
  equal(ended, 2);
});

Deno.test("createRunQuestions() takes a no for one call alone", async () => {
  const { runQuestions, questions } = ask();
  const { signal } = new AbortController();
  const verdicts = ["a", "a"].map((name) => runQuestions.ask(call({ name }), { signal }));
  await turn();
  questions[0]?.answer("no");
  await turn();
  questions[1]?.answer("call");
  deepEqual(await Promise.all(verdicts), ["declined", "allowed"]);
});
