import { deepEqual, equal, rejects } from "node:assert/strict";
import type { Args, CallQuestion, ToolEntry } from "#packs";
import type { Answer, Question } from "#runtime";
import { type Approvals, createApprovals } from "../../../runtime/run/approvals.ts";
import { createAsking } from "../../../runtime/run/asking.ts";

const ENTRY: ToolEntry = {
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

function approved(...calls: Question[]): Approvals {
  const approvals = createApprovals(calls);
  for (const one of calls) approvals.add(one);
  return approvals;
}

Deno.test("createApprovals() covers each call that was shown, once", async (t) => {
  const rows: [string, Question[], Args[], boolean[]][] = [
    ["nothing", [], [{}], [false]],
    [
      "the same arguments",
      [{ tool: "gitHub.deleteRepo", arguments: { name: "a" } }],
      [{ name: "b" }, { name: "a" }, { name: "a" }],
      [false, true, false],
    ],
    [
      "abbreviated arguments",
      [{ tool: "git-hub.deleteRepo", arguments: { n: "a", f: true } }],
      [{ force: true, name: "a" }],
      [true],
    ],
    [
      "arguments as written",
      [{ tool: "gitHub.delete_repo", arguments: "{ name }" }],
      [{ name: "b" }, { name: "c" }],
      [true, false],
    ],
    [
      "the literal one before that as written",
      [
        { tool: "gitHub.delete_repo", arguments: "{ name }" },
        { tool: "gitHub.delete_repo", arguments: { name: "a" } },
      ],
      [{ name: "a" }, { name: "a" }, { name: "a" }],
      [true, true, false],
    ],
    ["another tool", [{ tool: "gitHub.deletes", arguments: {} }], [{}], [false]],
  ];
  for (const [name, shown, calls, covered] of rows) {
    await t.step(name, () => {
      const approvals = approved(...shown);
      deepEqual(calls.map((args) => approvals.cover(call(args))), covered);
    });
  }
});

Deno.test("createApprovals() covers a tool for the whole run, where that was allowed", () => {
  const approvals = approved();
  approvals.widen("git-hub.delete_repo");
  deepEqual([1, 2, 3].map((name) => approvals.cover(call({ name }))), [true, true, true]);
});

Deno.test("createApprovals() knows the line of a tool that is called in one place", () => {
  const at = (line: number): Question => ({ tool: "gitHub.deleteRepo", arguments: {}, line });
  equal(createApprovals([]).lineOf(ENTRY), undefined);
  equal(createApprovals([at(3), at(3)]).lineOf(ENTRY), 3);
  equal(createApprovals([at(3), at(4)]).lineOf(ENTRY), undefined);
});

/** A run whose person answers when the test says so. */
function ask() {
  const asked: { question: Question; answer: (answer: Answer) => void }[] = [];
  let paused = 0;
  const asking = createAsking({
    approvals: approved(),
    person: (question) => new Promise((answer) => asked.push({ question, answer })),
    pause: () => {
      paused++;
      return () => paused--;
    },
  });
  return { asking, asked, paused: () => paused };
}

const turn = () => new Promise((resolve) => setTimeout(resolve));

Deno.test("createAsking() asks one question at a time, with the clock stopped", async () => {
  const { asking, asked, paused } = ask();
  const { signal } = new AbortController();
  const verdicts = ["a", "b", "c"].map((name) => asking.ask(call({ name }), signal));
  await turn();
  deepEqual(asked.map(({ question }) => question.arguments), [{ name: "a" }]);
  equal(paused(), 3);
  asked[0]?.answer("no");
  await turn();
  deepEqual(asked.map(({ question }) => question.arguments), [{ name: "a" }, { name: "b" }]);
  asked[1]?.answer("run");
  deepEqual(await Promise.all(verdicts), ["declined", "allowed", "allowed"]);
  deepEqual([asked.length, paused()], [2, 0]);
});

Deno.test("createAsking() waits no longer than the call does", async () => {
  const { asking, asked, paused } = ask();
  const ended = new AbortController();
  const { signal } = new AbortController();
  const first = asking.ask(call({ name: "a" }), ended.signal);
  const second = asking.ask(call({ name: "b" }), signal);
  await turn();
  ended.abort();
  await rejects(first, { code: "cancelled" });
  await turn();
  deepEqual(asked.map(({ question }) => question.arguments), [{ name: "a" }, { name: "b" }]);
  asked[1]?.answer("call");
  equal(await second, "allowed");
  equal(paused(), 0);
});

Deno.test("createAsking() remembers what nobody could be asked about, within bounds", async () => {
  const asking = createAsking({ approvals: approved(), pause: () => () => {} });
  const { signal } = new AbortController();
  for (let name = 0; name < 150; name++) {
    equal(await asking.ask(call({ name }), signal), "nobody");
  }
  equal(asking.unconfirmed().length, 100);
  const large = createAsking({ approvals: approved(), pause: () => () => {} });
  for (let at = 0; at < 5; at++) await large.ask(call({ name: "x".repeat(400_000) }), signal);
  equal(large.unconfirmed().length, 2);
});
