import assert from "node:assert/strict";
import { type Answerer, createInbox, type InboxEvent, type OpenQuestion } from "#runtime";

const CALL: OpenQuestion = { kind: "call", tool: "git.push", arguments: { to: "main" }, line: 3 };
const PLAN: OpenQuestion = {
  kind: "plan",
  calls: [
    { tool: "git.push", arguments: {}, line: 1, effect: "write" },
    { tool: "git.tag", arguments: {}, effect: "write" },
  ],
};
const SIGN_IN: OpenQuestion = { kind: "sign_in", server: "linear", url: "https://example.com/" };
const PAGE = { via: "page" } as const;

function open(
  { address = "http://127.0.0.1:1/" as string | null, waitMs = 60_000, noticeMs = 5 } = {},
) {
  let count = 0;
  const inbox = createInbox({
    newId: () => `${++count}`,
    now: () => 1_700_000_000_000,
    waitMs: () => waitMs,
    address: () => address ?? undefined,
    noticeMs,
  });
  const events: InboxEvent[] = [];
  inbox.subscribe((event) => events.push(event));
  return { inbox, events, signal: new AbortController().signal };
}

/** A client that answers when it is told to. */
function client() {
  const answer = Promise.withResolvers<Awaited<ReturnType<Answerer["ask"]>>>();
  const ids: string[] = [];
  let isTakenBack = false;
  const answerer: Answerer = {
    from: { via: "client", client: "test" },
    ask(question, signal) {
      ids.push(question.id);
      signal.addEventListener("abort", () => isTakenBack = true);
      return answer.promise;
    },
  };
  return { answerer, answer, ids, isTakenBack: () => isTakenBack };
}

Deno.test("createInbox() lists a question in the form of GET /questions", async () => {
  const { inbox, signal } = open();
  const waiting = inbox.ask({ ...CALL, run: "r_1", because: "It is shared" }, { signal });
  assert.deepEqual(inbox.list(), [{
    id: "q_1",
    run: "r_1",
    kind: "call",
    tool: "git.push",
    arguments: { to: "main" },
    line: 3,
    because: "It is shared",
    asked_at: "2023-11-14T22:13:20.000Z",
    expires_at: "2023-11-14T22:14:20.000Z",
  }]);
  assert.equal(inbox.answer("q_1", { allow: "call" }, PAGE), "answered");
  assert.deepEqual(await waiting, { allow: "call", from: PAGE });
  assert.deepEqual(inbox.list(), []);
});

Deno.test("createInbox() takes the first answer and takes the question back elsewhere", async (t) => {
  await t.step("from the page", async () => {
    const { inbox, events, signal } = open();
    const [one, two] = [client(), client()];
    const answerers = [one.answerer, two.answerer];
    const waiting = inbox.ask(CALL, { signal, answerers });
    assert.deepEqual([one.ids, two.ids], [["q_1"], ["q_1"]]);
    assert.equal(inbox.answer("q_1", { allow: "run" }, PAGE), "answered");
    assert.equal(inbox.answer("q_1", { allow: "no" }, PAGE), "unknown");
    one.answer.resolve({ allow: "no" });
    assert.deepEqual(await waiting, { allow: "run", from: PAGE });
    assert.ok(one.isTakenBack() && two.isTakenBack());
    assert.deepEqual(events.map(({ type }) => type), ["question", "answered"]);
  });
  await t.step("from a client", async () => {
    const { inbox, signal } = open();
    const [one, two] = [client(), client()];
    const waiting = inbox.ask(CALL, { signal, answerers: [one.answerer, two.answerer] });
    two.answer.resolve({ allow: "no" });
    assert.deepEqual(await waiting, { allow: "no", from: two.answerer.from });
    assert.ok(one.isTakenBack());
    assert.equal(inbox.answer("q_1", { allow: "call" }, PAGE), "unknown");
  });
  await t.step("of many at once, none is lost", async () => {
    const { inbox, signal } = open();
    const all = Array.from({ length: 10 }, () => inbox.ask(CALL, { signal }));
    const ids = inbox.list().map(({ id }) => id);
    assert.equal(new Set(ids).size, 10);
    for (const id of ids.toReversed()) inbox.answer(id, { allow: "call" }, PAGE);
    for (const { allow } of await Promise.all(all)) assert.equal(allow, "call");
  });
});

Deno.test("createInbox() takes answers that fit the kind of a question", () => {
  const rows = [
    [CALL, [{ allow: "call" }, { allow: "run" }, { allow: "no" }], [{ allow: "all" }]],
    [
      PLAN,
      [{ allow: "all" }, { allow: "all", calls: [1] }, { allow: "all", calls: [] }, {
        allow: "no",
      }],
      [{ allow: "call" }, { allow: "run" }, { allow: "all", calls: [2] }],
    ],
    [SIGN_IN, [{ allow: "no" }], [{ allow: "call" }, { allow: "run" }, { allow: "all" }]],
  ] as const;
  for (const [question, right, wrong] of rows) {
    for (const answer of [...right, ...wrong]) {
      const { inbox, signal } = open();
      void inbox.ask(question, { signal, waitMs: 0 });
      const isRight = right.some((each) => each === answer);
      const text = JSON.stringify([question.kind, answer]);
      assert.equal(inbox.answer("q_1", answer, PAGE), isRight ? "answered" : "bad", text);
    }
  }
});

Deno.test("createInbox() ends a question that a client has settled, as a sign-in that happened", async () => {
  const { inbox, signal } = open();
  const keeper = client();
  const waiting = inbox.ask(SIGN_IN, { signal, answerers: [keeper.answerer] });
  assert.equal(inbox.list()[0]?.url, "https://example.com/");
  keeper.answer.resolve({ allow: "done" });
  assert.deepEqual(await waiting, { allow: "done" });
});

Deno.test("createInbox() ends a question at its deadline, and with its asker", async () => {
  const { inbox, signal, events } = open({ waitMs: 1 });
  assert.deepEqual(await inbox.ask(CALL, { signal }), { allow: "late" });
  const leaving = new AbortController();
  void inbox.ask(CALL, { signal: leaving.signal, waitMs: 1e12 }).catch(() => {});
  await inbox.ask(CALL, { signal });
  assert.equal(inbox.list().length, 1); // a long time is no short one
  const waiting = inbox.ask(CALL, { signal: leaving.signal, waitMs: 60_000 });
  leaving.abort();
  await assert.rejects(waiting, { name: "AbortError" });
  assert.deepEqual(inbox.list(), []);
  const ends = events.flatMap((event) => event.type === "answered" ? [event.answer.allow] : []);
  assert.deepEqual(ends, ["late", "late", "withdrawn", "withdrawn"]);
});

Deno.test("createInbox() gives notice again and again while only the page can answer", async () => {
  const { inbox, signal } = open();
  const leaving = client();
  let notices = 0;
  const thrice = Promise.withResolvers<void>();
  const waiting = inbox.ask(CALL, {
    signal,
    answerers: [leaving.answerer],
    onWaiting({ address }) {
      assert.equal(address, "http://127.0.0.1:1/");
      if (++notices === 3) thrice.resolve();
    },
  });
  assert.equal(notices, 0); // the client can answer yet
  leaving.answer.reject(new Error("It has gone"));
  await thrice.promise;
  inbox.answer("q_1", { allow: "call" }, PAGE);
  assert.equal((await waiting).allow, "call");
});

Deno.test("createInbox() without a page asks the client alone", async () => {
  const { inbox, signal } = open({ address: null });
  const one = client();
  const waiting = inbox.ask(CALL, { signal, answerers: [one.answerer] });
  assert.deepEqual(inbox.list(), []);
  assert.equal(inbox.answer("q_1", { allow: "call" }, PAGE), "unknown");
  one.answer.resolve(undefined); // it has gone, and there is no other way
  assert.deepEqual(await waiting, { allow: "late" });
});
