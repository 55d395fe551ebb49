/** An approval lets through the call that the person saw, once, and nothing else. */

import assert from "node:assert/strict";
import type { RunReply } from "#runtime";
import { events, openGateway, type StreamEvent, type TestGateway } from "../support/gateway.ts";
import { fixture } from "../support/servers.ts";

async function open(security: Record<string, unknown> = {}): Promise<TestGateway> {
  const { command, args } = fixture("good");
  const gateway = await openGateway({
    servers: { git: { command, args } },
    alias: { say: "git.echo" },
    snippets: { copy: { params: { n: {} }, body: "git.echo(name={{ n }})" } },
    security: { ask: ["git.echo"], ...security },
  });
  await gateway.ready();
  return gateway;
}

type Body = Record<string, unknown>;

/** The error of a run that was refused, or that ended for want of a confirmation. */
async function unconfirmed(gateway: TestGateway, body: Body) {
  const response = await gateway.post("/run", body);
  const answer = await response.json();
  assert.equal(answer.error?.code, "needs_confirmation", JSON.stringify(answer));
  const { calls, confirm } = answer.error.details;
  return { status: response.status, calls, confirm, text: answer.text ?? answer.error.message };
}

async function taken(gateway: TestGateway, body: Body): Promise<RunReply> {
  const response = await gateway.post("/run", body);
  const reply = await response.json();
  assert.ok(reply.ok, JSON.stringify(reply));
  return reply;
}

/** Runs over a stream; each question is answered by what the test says of it. */
async function streamed(
  gateway: TestGateway,
  body: Body,
  answer: (question: StreamEvent) => string,
): Promise<{ questions: StreamEvent[]; reply: RunReply }> {
  const questions: StreamEvent[] = [];
  const response = await gateway.post("/run", body, { accept: "application/x-ndjson" });
  for await (const event of events(response)) {
    if (event.type === "result") return { questions, reply: event as unknown as RunReply };
    if (event.type !== "confirm") continue;
    questions.push(event);
    const taken = await gateway.post(`/confirm/${event.id}`, { allow: answer(event) });
    await taken.body?.cancel();
  }
  throw new Error("No result came");
}

const echo = (args: Body, line?: number) => ({
  tool: "git.echo",
  arguments: args,
  ...(line === undefined ? {} : { line }),
});

Deno.test("VAL-32 an approved call that is never reached lets no other through", async (t) => {
  await using gateway = await open();
  const rows: readonly [name: string, before: string, other: string][] = [
    ["shorthand", 'const path: string = "notes.txt";', 'git.echo({ path: "Make" + "file" })'],
    ["an identifier", 'const all = { path: "Makefile" };', "git.echo(all)"],
    ["spread", 'const all = { path: "Makefile" };', "git.echo({ ...all })"],
    ["a template", 'const name = "file";', "git.echo({ path: `Make${name}` })"],
    ["a name made at run time", 'const e = "echo";', 'git[e]({ path: "Makefile" })'],
    ["the tool handed on", "const f = [git.echo];", 'f[0]({ path: "Makefile" })'],
    ["another spelling", "", 'tools.git["echo"]({ path: ["Makefile"].join() })'],
    ["an alias", "", 'say({ path: ["Makefile"].join() })'],
    ["a getter", "", 'git.echo({ get path() { return "Makefile" } })'],
    ["toJSON", "", 'git.echo({ path: "x", toJSON: () => ({ path: "Makefile" }) } as any)'],
  ];
  for (const [name, before, other] of rows) {
    await t.step(name, async () => {
      const command = `${before}\nif (Date.now() < 0) git.echo({ path: "notes.txt" })\n` +
        `await ${other}\n"written"`;
      const { questions, reply } = await streamed(gateway, { command }, ({ arguments: args }) => {
        return JSON.stringify(args).includes("notes.txt") ? "call" : "no";
      });
      assert.equal(reply.ok, false, reply.text);
      assert.deepEqual(questions.map(({ arguments: args }) => args), [
        { path: "notes.txt" },
        { path: "Makefile" },
      ], reply.text);
    });
  }
});

Deno.test("VAL-32 an id approves the calls that were listed with it", async (t) => {
  await using gateway = await open();

  await t.step("in whatever order the program comes to them", async () => {
    const command = 'const last = () => git.echo({ n: 1 })\ngit.echo({ n: 2 })\nlast()\n"done"';
    const { status, calls, confirm } = await unconfirmed(gateway, { command });
    assert.deepEqual([status, calls], [409, [echo({ n: 1 }, 1), echo({ n: 2 }, 2)]]);
    assert.equal((await taken(gateway, { command, confirm })).value, "done");
  });

  await t.step("two that are equal, twice and no more", async () => {
    const command = "git.echo({ n: 1 })\ngit.echo({ n: 1.0 })\nconst one = 1\ngit.echo({ n: one })";
    const { calls, confirm } = await unconfirmed(gateway, { command });
    assert.deepEqual(calls, [echo({ n: 1 }, 1), echo({ n: 1 }, 2)]);
    const third = await unconfirmed(gateway, { command, confirm });
    assert.deepEqual([third.status, third.calls.length], [200, 3]);
    await taken(gateway, { command, confirm: third.confirm });
  });

  await t.step("a call that has changed since is asked about again", async () => {
    const command = 'const id = crypto.randomUUID()\ngit.echo({ id })\n"done"';
    const first = await unconfirmed(gateway, { command });
    const second = await unconfirmed(gateway, { command, confirm: first.confirm });
    assert.equal(second.calls.length, 2);
    assert.notDeepEqual(second.calls[0], second.calls[1]);
  });

  await t.step("with numbers and keys as they are sent", async () => {
    const command = 'git.echo({ a: -0, "b": 0x10, 1: 1e2 })';
    const { calls, confirm } = await unconfirmed(gateway, { command });
    assert.deepEqual(calls, [echo({ a: 0, b: 16, 1: 100 }, 1)]);
    await taken(gateway, { command, confirm });
  });
});

Deno.test("VAL-32 an id is good for one request", async (t) => {
  await using gateway = await open();
  const script = 'import { tools } from "toolscript";\nawait tools.git.echo({ n: 1 })';
  const body = {
    script,
    file: "a.ts",
    files: { "b.ts": "" },
    args: ["x"],
    cwd: "/tmp",
    stdin: "i",
  };
  const others: Body[] = [
    { ...body, script: `${script};` },
    { ...body, files: {} },
    { ...body, files: { "b.ts": "1" } },
    { ...body, args: ["x", "y"] },
    { ...body, cwd: "/" },
    { ...body, stdin: "j" },
    { ...body, stdin: null },
    { command: "git.echo({ n: 1 })", cwd: "/tmp", stdin: "i" },
  ];
  const { confirm } = await unconfirmed(gateway, body);
  for (const other of others) {
    await t.step(JSON.stringify(other), async () => {
      assert.equal((await unconfirmed(gateway, { ...other, confirm })).status, 409);
    });
  }
  await t.step("once, however many send it at the same time", async () => {
    const all = Array.from({ length: 8 }, () => gateway.post("/run", { ...body, confirm }));
    const statuses = await Promise.all(all.map(async (response) => {
      const { status, body } = await response;
      await body?.cancel();
      return status;
    }));
    assert.deepEqual(statuses.toSorted(), [200, ...Array(7).fill(409)]);
  });
});

Deno.test("VAL-32 a run ends at a call that needs a confirmation where no person can be asked", async (t) => {
  await using gateway = await open();

  await t.step("also where the program would go on", async () => {
    const command = 'const n = [1].at(0)\nlet code = ""\n' +
      "try { await git.echo({ n }) } catch (error) { code = error.code }\ngit.pid()\ncode";
    const { status, calls, text } = await unconfirmed(gateway, { command });
    assert.deepEqual([status, calls], [200, [echo({ n: 1 }, 3)]]);
    assert.match(text, /called with:\n {2}\| "n": 1\n/);
  });

  await t.step("of several at once the first is named", async () => {
    const command = "const all = [1, 2, 3]\nawait Promise.all(all.map((n) => git.echo({ n })))";
    const first = await unconfirmed(gateway, { command });
    assert.deepEqual(first.calls, [echo({ n: 1 }, 2)]);
    const second = await unconfirmed(gateway, { command, confirm: first.confirm });
    assert.equal(second.calls.length, 2);
  });

  await t.step("in code that the program calls, too", async () => {
    const command = 'try { await snippets.copy({ n: "a" }) } catch { /* goes on */ }\n"done"';
    const { calls, confirm } = await unconfirmed(gateway, { command });
    assert.deepEqual(calls, [echo({ name: "a" }, 1)]);
    assert.equal((await taken(gateway, { command, confirm })).value, "done");
  });
});

Deno.test("VAL-32 a question names the line if the call can come from no other", async () => {
  await using gateway = await open();
  const command = 'const tool: string = ["echo"].join()\nif (tool === "") git.echo({ a: 1 })\n' +
    "await (git as any)[tool]({ a: 2 })";
  const { questions } = await streamed(gateway, { command }, () => "call");
  assert.deepEqual(questions.map(({ line }) => line), [2, null]);
});

Deno.test("VAL-32 the use of a builtin is asked about once, before anything runs", async (t) => {
  await using gateway = await open({ ask: ["fetch", "git.echo"] });
  const command = 'const f = () => fetch("http://127.0.0.1:9/")\n' +
    'const g = () => [globalThis.fetch].at(0)\ngit.echo({ n: 1 })\n"done"';

  await t.step("by an id", async () => {
    const { status, calls, confirm } = await unconfirmed(gateway, { command });
    const use = { kind: "code", tool: "fetch", arguments: {}, line: 1 };
    assert.deepEqual([status, calls], [409, [use, echo({ n: 1 }, 3)]]);
    assert.equal((await taken(gateway, { command, confirm })).value, "done");
  });
  await t.step("in a stream", async () => {
    const { questions, reply } = await streamed(gateway, { command }, () => "call");
    assert.deepEqual(questions.map(({ tool }) => tool), ["fetch", "git.echo"]);
    assert.equal(reply.value, "done", reply.text);
    const refused = await streamed(gateway, { command }, () => "no");
    assert.deepEqual([refused.questions.length, refused.reply.error?.code], [1, "blocked"]);
  });
});
