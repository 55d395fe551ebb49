/** Plans whose calls take long to write out hold up no other work. */

import { equal, match, ok } from "node:assert/strict";
import type { JsonObject } from "#base";
import { callText, createInbox, planQuestionText } from "#runtime";
import { createMcpAnswerers } from "../../gateway/mcp/client/confirm.ts";
import { createArgumentTexts } from "../../gateway/page/argument_texts.ts";
import { createApprovals } from "../../runtime/run/approval/approvals.ts";
import { argumentText } from "../../runtime/run/approval/question_text.ts";
import { askPlan } from "../../runtime/run/plan/ask_plan.ts";
import { writePlan } from "../../runtime/run/plan/plan_text.ts";
import { KEEPER } from "../support/call_keeper.ts";
import { countTurns } from "../support/turns.ts";

const CALLS = 60;
/** Turns that other work gets at least. */
const TURNS = 3;

type Shape = (text: string, at: number) => JsonObject;

/** Characters, and arguments of 8 kB of them that are written in the narrowest of all rooms. */
const ROWS: Record<string, readonly [characters: string, shape: Shape]> = {
  "invisible characters in lists within": ["\u200b\u200c", (text, at) => ({
    entities: Array.from({ length: 4 }, (_, of) => ({
      name: `${at}.${of}`,
      seen: Array(16).fill(text),
    })),
  })],
  "combining characters in a list": ["\u0301\u0302", (text, at) => ({
    list: Array.from({ length: 66 }, (_, of) => `${text}${at}.${of}`),
  })],
  "characters of two halves in objects": ["\u{e0041}\u{e0042}", (text, at) => ({
    entities: Object.fromEntries(
      Array.from(
        { length: 64 },
        (_, of) => [`k${of}`, { [`${text.slice(0, 60)}${of}`]: [text, at] }],
      ),
    ),
  })],
};

function callsOf([characters, shape]: readonly [string, Shape]) {
  const text = characters.repeat(61).slice(0, 120);
  return Array.from({ length: CALLS }, (_, at) => ({
    tool: "shop.note",
    arguments: shape(text, at),
    line: null,
    effect: "write",
  }));
}

function openInbox() {
  return createInbox({
    newId: () => "1",
    now: () => 0,
    waitMs: () => 60_000,
    address: () => "http://127.0.0.1:1/",
  });
}

/** The ways in which a plan is written; each resolves with the text that a person reads. */
const WAYS: Record<string, (calls: ReturnType<typeof callsOf>) => Promise<unknown>> = {
  "as a reply": (calls) => writePlan({ calls, uncertain: false, incomplete: false }),
  "as a question, before it is put": async (calls) => {
    const { signal } = new AbortController();
    const made = calls.map(({ line: _, ...call }) => ({
      call,
      kept: { key: "", tool: call.tool, text: "" },
    }));
    const inbox = {
      ask: () => Promise.resolve({ allow: "no" as const, from: { via: "page" as const } }),
      address: () => undefined,
    };
    await askPlan(
      { calls: made, uncertain: false, isQuestioned: true, isCut: false },
      { inbox, approvals: createApprovals(KEEPER), signal },
    );
  },
  "as a form": async (calls) => {
    const forms: JsonObject[] = [];
    const [answerer] = createMcpAnswerers(
      ({ params }) => Promise.resolve(void forms.push(params as JsonObject)),
      { capabilities: { elicitation: { form: {} } }, isOneOfSeveral: false },
    );
    const question = {
      id: "q_1",
      run: null,
      kind: "plan" as const,
      line: null,
      because: null,
      asked_at: "",
      expires_at: "",
      calls,
      uncertain: false,
      incomplete: false,
    };
    await answerer?.ask(question, new AbortController().signal);
    const text = planQuestionText(question);
    equal(forms.length, 2);
    ok(forms.every(({ message }) => message === text));
  },
  "on the page": async (calls) => {
    const inbox = openInbox();
    const stop = new AbortController();
    const answer = inbox.ask(
      { kind: "plan", calls: calls.map(({ line: _, ...call }) => call) },
      stop,
    )
      .catch(() => {});
    const textOf = await createArgumentTexts()(inbox.list());
    const { arguments: args } = calls[CALLS - 1] ?? { arguments: {} };
    equal(textOf(args), argumentText(args));
    stop.abort();
    await answer;
  },
};

for (const [way, write] of Object.entries(WAYS)) {
  Deno.test(`a plan is written ${way} while other work runs`, async (t) => {
    for (const [name, row] of Object.entries(ROWS)) {
      await t.step(name, async () => {
        const { turns } = await countTurns(() => write(callsOf(row)));
        ok(turns >= TURNS, `${turns} turns`);
      });
    }
  });
}

Deno.test("createArgumentTexts() writes the arguments of a question once", async () => {
  const inbox = openInbox();
  const stop = new AbortController();
  let reads = 0;
  const args = {
    get text() {
      reads++;
      return "a";
    },
  };
  const answer = inbox.ask({ kind: "call", tool: "shop.note", arguments: args }, stop).catch(
    () => {},
  );
  const write = createArgumentTexts();
  equal((await write(inbox.list()))(args), '"text": "a"');
  const before = reads;
  equal((await write(inbox.list()))(args), '"text": "a"');
  equal(reads, before);
  stop.abort();
  await answer;
});

Deno.test("callText() escapes no more of a call than it shows", () => {
  const rows = [
    [{ a: "b" }, /^shop\.note \(line 1\) \{"a":"b"\}$/],
    [{ a: "\u200b" }, /\{"a":"\\u200b"\}$/],
    [{ a: "x".repeat(152) }, /"x{152}"\}$/],
    [{ a: "x".repeat(153) }, /"x{153}"… \(1 more characters\)$/],
    [{ a: "\u200b".repeat(40) }, /\\u200b\\u200b\\u20… \(88 more characters\)$/],
    [{ a: `${"x".repeat(154)}\u{1f600}` }, /"x{154}… \(4 more characters\)$/],
    [{ a: `${"x".repeat(153)}\u{1f600}` }, /"x{153}\ud83d… \(3 more characters\)$/],
    [{ a: "x".repeat(900) + "\u200b".repeat(100) }, /x… \(848 more characters\)$/],
  ] as const;
  for (const [args, expected] of rows) {
    match(callText({ tool: "shop.note", arguments: args, line: 1, effect: "write" }), expected);
  }
});
