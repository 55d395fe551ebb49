import assert from "node:assert/strict";
import { PackError } from "#packs";
import { createJournal, excerpt, type JournalEvent, type RunReply } from "#runtime";

const SECRET = "hunter2hunter2";
const redact = (text: string) => text.replaceAll(SECRET, "[redacted]");
const nameOf = (wire: string) => wire.replace("__", ".");

function open(options = {}) {
  let time = 1_000;
  const journal = createJournal({ nameOf, redact, now: () => time, ...options });
  return {
    journal,
    wait: (ms: number) => time += ms,
    begin(run: string, command = "1 + 1", more = {}) {
      const request = { kind: "command", command, cwd: "/" } as const;
      return journal.watch({ run, request, client: "ana", ...more });
    },
  };
}

function reply(run: string, more: Partial<RunReply> = {}): RunReply {
  return {
    run,
    ok: true,
    text: "2",
    stdout: "",
    stderr: "",
    warnings: [],
    calls: 0,
    ms: 7,
    timing: { parse: 0, check: 0, hand_over: 0, execute: 0, serialise: 0 },
    ...more,
  };
}

Deno.test("createJournal() keeps a run with its calls, output and result", () => {
  const { journal, wait, begin } = open();
  using _ = journal;
  const events: JournalEvent[] = [];
  journal.onChange((event) => events.push(event));
  const run = begin("r_1", "// a comment\nshop.buy(n=1)");
  assert.equal(journal.list({}, { limit: 9 }).runs[0]?.state, "running");
  wait(5);
  const origin = { run: "r_1" };
  const bought = journal.witness({ wire: "shop__buy", args: { n: 1 }, origin });
  const failed = journal.witness({ wire: "shop__pay", args: {}, origin });
  assert.deepEqual(journal.find("r_1")?.list[0]?.args, { text: '{\n  "n": 1\n}', isCut: false });
  assert.equal(journal.find("r_1")?.list[0]?.result, null);
  wait(3);
  bought({ result: { value: ["a", 1] } });
  failed({ error: new PackError("timeout", "Too slow") });
  run.event({ type: "stdout", data: "one\n" });
  run.event({ type: "stderr", data: "two\n" });
  run.ended(reply("r_1", { warnings: ["look out"], stored: "0123" }));

  const details = journal.find("r_1");
  assert.ok(details);
  const { state, code, client, title, calls, ms, at, stored, warnings } = details;
  assert.deepEqual(
    { state, code, client, title, calls, ms, at, stored, warnings },
    {
      state: "ok",
      code: null,
      client: "ana",
      title: "shop.buy(n=1)",
      calls: 2,
      ms: 7,
      at: 1_000,
      stored: "0123",
      warnings: ["look out"],
    },
  );
  assert.deepEqual([details.stdout.text, details.stderr.text, details.text?.text], [
    "one\n",
    "two\n",
    "2",
  ]);
  const [first, second] = details.list;
  assert.deepEqual([first?.tool, first?.after, first?.ms, first?.code], ["shop.buy", 5, 3, null]);
  assert.equal(first?.result?.text, '[\n  "a",\n  1\n]');
  assert.deepEqual([second?.state, second?.code, second?.result?.text], [
    "failed",
    "timeout",
    "Too slow",
  ]);
  assert.deepEqual(events.map(({ type, state }) => `${type} ${state}`), [
    "run running",
    "call running",
    "call running",
    "call ok",
    "call failed",
    "run ok",
  ]);
});

Deno.test("createJournal() tells of what a run prints while it goes on", async () => {
  const { journal, begin } = open();
  using _ = journal;
  const events: JournalEvent[] = [];
  journal.onChange((event) => events.push(event));
  const [run, short] = [begin("r_1"), begin("r_2")];
  for (let line = 0; line < 10; line++) run.event({ type: "stdout", data: `${line}\n` });
  short.event({ type: "stdout", data: "one\n" });
  short.ended(reply("r_2"));
  while (events.length < 4) await new Promise((resolve) => setTimeout(resolve, 20));
  assert.equal(journal.find("r_1")?.stdout.text.length, 20);
  assert.deepEqual(events.map((event) => `${event.run} ${event.state}`), [
    "r_1 running",
    "r_2 running",
    "r_2 ok",
    "r_1 running",
  ]);
});

Deno.test("createJournal() shows no secrets, also where a text is cut", () => {
  const { journal, begin } = open();
  using _ = journal;
  const run = begin("r_1", `x = "${SECRET}"`);
  const origin = { run: "r_1" };
  for (const length of [0, 4_090, 8_180]) {
    const value = "y".repeat(length) + SECRET;
    journal.witness({ wire: "a__b", args: { value }, origin })({ result: { value } });
  }
  run.event({ type: "stdout", data: "z".repeat(32_760) + SECRET + "z".repeat(9_000) });
  run.refused(new Error(SECRET));
  const text = JSON.stringify([journal.find("r_1"), journal.list({}, { limit: 9 })]);
  assert.ok(text.includes("[redacted]"));
  for (const part of [SECRET, SECRET.slice(0, 6)]) assert.ok(!text.includes(part), part);
});

Deno.test("createJournal() filters runs by client, outcome and tool", () => {
  const { journal, begin } = open();
  using _ = journal;
  begin("r_1").ended(reply("r_1"));
  const error = { code: "thrown", name: "E", message: "m", retryable: false, details: {} } as const;
  begin("r_2", "2", { client: "ben" }).ended(reply("r_2", { ok: false, error }));
  const third = begin("r_3");
  journal.witness({ wire: "a__b", args: {}, origin: { run: "r_3" } });
  begin("r_4", "4", { within: "r_3" }).ended(reply("r_4"));
  const names = (filter: object, page = { limit: 9 }) =>
    journal.list(filter, page).runs.map(({ run }) => run);
  assert.deepEqual(names({}), ["r_3", "r_2", "r_1"]);
  assert.deepEqual(names({}, { limit: 1, offset: 1 } as { limit: number }), ["r_2"]);
  assert.equal(journal.list({}, { limit: 1 }).total, 3);
  assert.deepEqual(names({ client: "ben" }), ["r_2"]);
  assert.deepEqual(names({ outcome: "failed" }), ["r_2"]);
  assert.deepEqual(names({ outcome: "thrown" }), ["r_2"]);
  assert.deepEqual(names({ outcome: "running" }), ["r_3"]);
  assert.deepEqual(names({ outcome: "ended" }), ["r_2", "r_1"]);
  assert.deepEqual(names({ tool: "a.b", client: "ana" }), ["r_3"]);
  assert.deepEqual(journal.find("r_3")?.parts.map(({ run }) => run), ["r_4"]);
  assert.deepEqual(journal.facets(), {
    clients: ["ana", "ben"],
    codes: ["thrown"],
    tools: ["a.b"],
  });
  third.ended(reply("r_3"));
});

Deno.test("createJournal() is bounded in runs and characters; what runs stays", async () => {
  for (const bound of [{ mostRuns: 10 }, { mostCharacters: 11_000 }]) {
    const { journal, begin } = open(bound);
    using _ = journal;
    begin("first");
    for (let index = 0; index < 50; index++) {
      begin(`r_${index}`, "x".repeat(1_000)).ended(reply(`r_${index}`));
    }
    for (let tries = 0; journal.list({}, { limit: 0 }).total > 11 && tries < 6_000; tries++) {
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    const { runs, total } = journal.list({}, { limit: 99 });
    assert.ok(total <= 11, String(total));
    assert.equal(runs[0]?.run, "r_49");
    assert.equal(runs.at(-1)?.run, "first");
  }
});

Deno.test("createJournal() keeps a bounded part of a run with many large calls", () => {
  const { journal, begin } = open();
  using _ = journal;
  begin("r_1");
  for (let index = 0; index < 2_000; index++) {
    const call = { wire: "a__b", args: { text: "x".repeat(100_000) }, origin: { run: "r_1" } };
    journal.witness(call)({ result: { value: "y".repeat(100_000) } });
  }
  const details = journal.find("r_1");
  assert.equal(details?.calls, 2_000);
  assert.ok(JSON.stringify(details).length < 1_000_000);
  assert.deepEqual(details?.list.at(-1)?.args, { text: "", isCut: true });
});

Deno.test("excerpt() costs no more than the part that it writes", () => {
  const wide = Object.fromEntries(
    Array.from({ length: 100_000 }, (_, index) => [`k${index}`, index]),
  );
  let reads = 0;
  const watched = new Proxy(wide, {
    get: (target, key) => (reads++, Reflect.get(target, key)),
  });
  const { text, isCut } = excerpt(watched, 200);
  assert.equal(text.length, 200);
  assert.ok(isCut && reads < 40, String(reads));
  let deep: unknown = 1;
  for (let level = 0; level < 100_000; level++) deep = [deep];
  const nested = excerpt(deep as string[], 100_000);
  assert.ok(nested.text.includes("[…]") && nested.isCut);
  assert.deepEqual(excerpt({ a: [], b: {}, c: null, "\n": "\u0000" }, 99), {
    text: '{\n  "a": [],\n  "b": {},\n  "c": null,\n  "\\n": "\\u0000"\n}',
    isCut: false,
  });
});

Deno.test("createJournal() keeps of large texts no more than it shows", async () => {
  const program = new URL("large_runs.ts", import.meta.url).pathname;
  // The texts are 480 MB in all, and those of one run 24 MB.
  const args = ["run", "--no-check", "--v8-flags=--max-old-space-size=80", program];
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), { args }).output();
  assert.equal(code, 0, new TextDecoder().decode(stderr).slice(0, 500));
  assert.equal(new TextDecoder().decode(stdout), "20\n");
});
