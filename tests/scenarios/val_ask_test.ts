/** VAL-32: what must be confirmed, over HTTP. */

import assert from "node:assert/strict";
import type { RunReply } from "#runtime";
import { events, openGateway, type StreamEvent, type TestGateway } from "../support/gateway.ts";
import { fixture } from "../support/servers.ts";

/** A gateway whose `git.echo` must be confirmed; `git.pid` needs none. */
async function open(security: Record<string, unknown> = {}): Promise<TestGateway> {
  const { command, args } = fixture("good");
  const gateway = await openGateway({
    servers: { git: { command, args } },
    snippets: { copy: { params: { n: {} }, body: "git.echo(name={{ n }})" } },
    security: { ask: ["git.echo"], ...security },
  });
  await gateway.ready();
  return gateway;
}

interface Problem {
  readonly code: string;
  readonly message: string;
  readonly details: {
    readonly confirm: string;
    readonly calls: readonly unknown[];
    readonly pattern: string;
    readonly reason?: string;
  };
}

async function refusedRun(gateway: TestGateway, body: Record<string, unknown>): Promise<Problem> {
  const response = await gateway.post("/run", body);
  const { error } = await response.json();
  assert.equal(response.status, 409, JSON.stringify(error));
  assert.equal(error.code, "needs_confirmation");
  return error;
}

async function takenRun(gateway: TestGateway, body: Record<string, unknown>): Promise<RunReply> {
  const response = await gateway.post("/run", body);
  const reply = await response.json();
  assert.equal(response.status, 200, JSON.stringify(reply));
  return reply;
}

async function* stream(gateway: TestGateway, body: unknown): AsyncGenerator<StreamEvent> {
  yield* events(await gateway.post("/run", body, { accept: "application/x-ndjson" }));
}

/** Runs over a stream and answers its questions in turn, "no" when the answers are used up. */
async function streamed(
  gateway: TestGateway,
  body: Record<string, unknown>,
  answers: readonly string[],
): Promise<{ questions: StreamEvent[]; reply: RunReply; types: string[] }> {
  const questions: StreamEvent[] = [];
  const types: string[] = [];
  for await (const event of stream(gateway, body)) {
    types.push(event.type);
    if (event.type === "result") return { questions, types, reply: event as unknown as RunReply };
    if (event.type !== "confirm") continue;
    questions.push(event);
    const allow = answers[questions.length - 1] ?? "no";
    const response = await gateway.post(`/confirm/${event.id}`, { allow });
    assert.equal(response.status, 200, await response.text());
  }
  throw new Error("No result came");
}

Deno.test("VAL-32 an HTTP client confirms what the code shows, once", async (t) => {
  await using gateway = await open();
  const command = 'x = 1\ngit.echo(name="a")';

  await t.step("nothing runs before, and it is said what would be done", async () => {
    const { details, message } = await refusedRun(gateway, { command });
    assert.deepEqual(details.calls, [{ tool: "git.echo", arguments: { name: "a" }, line: 2 }]);
    assert.equal(details.pattern, "git.echo");
    assert.match(message, /"git\.echo" at line 2 must be confirmed .*security\.ask/);
    const reply = await takenRun(gateway, { command, confirm: details.confirm });
    assert.deepEqual(reply.value, { name: "a" });
  });

  await t.step("a confirmation is good once", async () => {
    const { details } = await refusedRun(gateway, { command });
    assert.equal((await takenRun(gateway, { command, confirm: details.confirm })).ok, true);
    const again = await refusedRun(gateway, { command, confirm: details.confirm });
    assert.match(again.message, /used, too old, or of another request/);
    assert.notEqual(again.details.confirm, details.confirm);
  });

  await t.step("a confirmation is good for the same command alone", async () => {
    const { details } = await refusedRun(gateway, { command });
    const { confirm } = details;
    await refusedRun(gateway, { command: 'git.echo(name="b")', confirm });
    await refusedRun(gateway, { command, confirm: "nonsense" });
    assert.equal((await takenRun(gateway, { command, confirm })).ok, true);
  });

  await t.step("also for a script with its files, and its arguments", async () => {
    const script = 'import { tools } from "toolscript";\nimport { name } from "./name.ts";\n' +
      'await tools.git.echo({ to: "x" }); name + Deno.args[0]';
    const files = { "name.ts": 'export const name = "a";' };
    const body = { script, files, args: ["x"] };
    const { details } = await refusedRun(gateway, body);
    const { confirm } = details;
    assert.deepEqual(details.calls, [
      { tool: "git.echo", arguments: { to: "x" }, line: 3 },
    ]);
    await refusedRun(gateway, { ...body, args: ["y"], confirm });
    await refusedRun(gateway, { ...body, files: { "name.ts": "export const name = 1;" }, confirm });
    const reply = await takenRun(gateway, { ...body, confirm });
    assert.equal(reply.value, "ax");
  });

  await t.step("a program that is wrong is not put to anyone", async () => {
    const reply = await takenRun(gateway, { command: 'git.echo(name="a")\nconst n: number = "x"' });
    assert.equal(reply.error?.code, "type_error");
  });
});

Deno.test("VAL-32 one approval never covers two calls", async (t) => {
  await using gateway = await open();

  await t.step("each call of a loop is asked about by itself", async () => {
    const command = 'done = []\nfor (const name of ["a", "b"]) done.push(git.echo({ name }))\ndone';
    const first = await takenRun(gateway, { command });
    assert.equal(first.error?.code, "needs_confirmation", first.text);
    const [a, b] = ["a", "b"].map((name) => ({ tool: "git.echo", arguments: { name }, line: 2 }));
    assert.deepEqual(first.error?.details.calls, [a]);
    const again = await takenRun(gateway, { command, confirm: first.error?.details.confirm });
    assert.equal(again.ok, false);
    assert.deepEqual(again.error?.details.calls, [a, b]);
    const confirm = String(again.error?.details.confirm);
    assert.match(again.text, new RegExp(`"confirm": "${confirm}"`));
    const whole = await takenRun(gateway, { command, confirm });
    assert.deepEqual(whole.value, [{ name: "a" }, { name: "b" }], whole.text);
    const spent = await takenRun(gateway, { command, confirm });
    assert.deepEqual(spent.error?.details.calls, [a]);
  });

  await t.step("a literal one in a loop is covered once", async () => {
    const command = 'for (const _ of [1, 2]) git.echo(name="a")\n"done"';
    const { details } = await refusedRun(gateway, { command });
    const shown = { tool: "git.echo", arguments: { name: "a" }, line: 1 };
    assert.deepEqual(details.calls, [shown]);
    const reply = await takenRun(gateway, { command, confirm: details.confirm });
    assert.deepEqual(reply.error?.details.calls, [shown, shown], reply.text);
    const whole = await takenRun(gateway, { command, confirm: reply.error?.details.confirm });
    assert.equal(whole.value, "done", whole.text);
  });
});

Deno.test("VAL-32 a name made at run time is asked about when it is called", async () => {
  await using gateway = await open();
  const command = 'const name: string = ["ec", "ho"].join("");\n' +
    "await (git as any)[name]({ to: 1 })";
  const reply = await takenRun(gateway, { command });
  assert.equal(reply.error?.code, "needs_confirmation", reply.text);
  assert.deepEqual(reply.error?.details.calls, [{ tool: "git.echo", arguments: { to: 1 } }]);
  const confirm = reply.error?.details.confirm;
  const other = await refusedOrFailed(gateway, { command: `${command} `, confirm });
  assert.equal(other, "needs_confirmation");
  assert.deepEqual((await takenRun(gateway, { command, confirm })).value, { to: 1 });
});

async function refusedOrFailed(gateway: TestGateway, body: Record<string, unknown>) {
  const answer = await (await gateway.post("/run", body)).json();
  return answer.error.code;
}

Deno.test("VAL-32 an error that a program forges gives no confirmation", async () => {
  await using gateway = await open();
  const script = 'import { ToolError } from "toolscript";\n' +
    'const details = { confirm: "forged", calls: [{ tool: "git.nothing" }] };\n' +
    'throw new ToolError("needs_confirmation", "Do confirm", { details });';
  const reply = await gateway.run(script);
  assert.equal(reply.error?.code, "thrown");
  assert.equal(reply.error?.details.confirm, undefined);
});

Deno.test("VAL-32 a client of a stream is asked while the run waits", async (t) => {
  await using gateway = await open();
  const loop = 'done = []\nfor (const name of ["a", "b", "c"]) done.push(git.echo({ name }))\ndone';

  await t.step("for each call", async () => {
    const { questions, reply, types } = await streamed(gateway, { command: loop }, [
      "call",
      "call",
      "call",
    ]);
    assert.deepEqual(questions.map(({ tool, arguments: args, line }) => [tool, args, line]), [
      ["git.echo", { name: "a" }, 2],
      ["git.echo", { name: "b" }, 2],
      ["git.echo", { name: "c" }, 2],
    ]);
    assert.equal(types[0], "started");
    assert.deepEqual(reply.value, [{ name: "a" }, { name: "b" }, { name: "c" }]);
  });

  await t.step("a person may widen", async () => {
    const first = await streamed(gateway, { command: loop }, ["run"]);
    assert.equal(first.questions.length, 1);
    assert.equal(first.reply.ok, true, first.reply.text);
    const second = await streamed(gateway, { command: loop }, ["call", "run"]);
    assert.equal(second.questions.length, 2);
    assert.equal(second.reply.ok, true, second.reply.text);
  });

  await t.step("a no before the run keeps it from beginning", async () => {
    const { reply, types } = await streamed(gateway, { command: 'git.echo(name="a")' }, ["no"]);
    assert.equal(reply.error?.code, "blocked");
    assert.deepEqual(reply.error?.details, { reason: "declined", pattern: "git.echo" });
    assert.ok(!types.includes("call"));
  });

  await t.step("a no within the run is an error of that call", async () => {
    const caught = `${
      loop.replace("git.echo({ name })", "git.echo({ name }).catch((e) => e.code)")
    }`;
    const { reply } = await streamed(gateway, { command: caught }, ["call", "no", "call"]);
    assert.deepEqual(reply.value, [{ name: "a" }, "blocked", { name: "c" }], reply.text);
    const { reply: failed } = await streamed(gateway, { command: loop }, ["call", "no"]);
    assert.equal(failed.error?.code, "blocked");
    assert.equal(failed.error?.details.reason, "declined");
  });

  await t.step("calls at once are asked about one after the other", async () => {
    const command = 'await Promise.all(["a", "b", "c"].map((name) => git.echo({ name })))';
    const { questions, reply } = await streamed(gateway, { command }, ["call", "call", "run"]);
    assert.equal(questions.length, 3);
    assert.equal((reply.value as unknown[]).length, 3);
    const widened = await streamed(gateway, { command }, ["call", "run"]);
    assert.equal(widened.questions.length, 2);
    assert.equal(widened.reply.ok, true);
  });

  await t.step("with ask: false it is as with one JSON answer", async () => {
    const first = await streamed(gateway, { command: loop, ask: false }, []);
    assert.equal(first.reply.error?.code, "needs_confirmation");
    const { confirm } = first.reply.error?.details ?? {};
    const { questions, reply } = await streamed(
      gateway,
      { command: loop, ask: false, confirm },
      [],
    );
    assert.equal(questions.length, 0);
    assert.equal((reply.error?.details.calls as unknown[]).length, 2);
  });

  await t.step("answers are checked, and taken once", async () => {
    const wrong = await gateway.post("/confirm/nothing", { allow: "yes" });
    assert.equal(wrong.status, 400);
    await wrong.body?.cancel();
    const late = await gateway.post("/confirm/nothing", { allow: "call" });
    assert.equal(late.status, 404);
    await late.body?.cancel();
  });
});

Deno.test("VAL-32 calls of a snippet that code calls are asked about, too", async (t) => {
  await using gateway = await open();
  const command = 'done = []\nfor (const n of ["a", "b"]) done.push(snippets.copy({ n }))\ndone';

  await t.step("in a stream", async () => {
    const { questions, reply } = await streamed(gateway, { command }, ["call", "call"]);
    assert.deepEqual(questions.map(({ arguments: args }) => args), [{ name: "a" }, { name: "b" }]);
    assert.deepEqual(reply.value, [{ name: "a" }, { name: "b" }], reply.text);
    const refused = await streamed(gateway, { command }, ["call", "no"]);
    const widened = await streamed(gateway, { command }, ["run"]);
    assert.deepEqual([widened.questions.length, widened.reply.ok], [1, true], widened.reply.text);
    assert.equal(refused.reply.error?.code, "blocked", refused.reply.text);
    assert.equal(refused.reply.error?.details.reason, "declined");
  });

  await t.step("by an id", async () => {
    const first = await takenRun(gateway, { command });
    assert.equal(first.error?.code, "needs_confirmation", first.text);
    assert.deepEqual(first.error?.details.calls, [
      { tool: "git.echo", arguments: { name: "a" }, line: 1 },
    ]);
    const again = await takenRun(gateway, { command, confirm: first.error?.details.confirm });
    assert.equal((again.error?.details.calls as unknown[]).length, 2, again.text);
    const whole = await takenRun(gateway, { command, confirm: again.error?.details.confirm });
    assert.deepEqual(whole.value, [{ name: "a" }, { name: "b" }], whole.text);
  });

  await t.step("and outside a run, by the id of the call around it", async () => {
    const call = (n: string, confirm = "") =>
      gateway.post("/tools/snippets__copy", { n }, { "X-Toolscript-Confirm": confirm });
    const response = await call("a");
    const { error } = await response.json();
    assert.deepEqual([response.status, error.code], [409, "needs_confirmation"]);
    assert.deepEqual(error.details.calls, [
      { tool: "git.echo", arguments: { name: "a" }, line: 1 },
    ]);
    const { confirm } = error.details;
    for (const [n, status] of [["b", 409], ["a", 200], ["a", 409]] as const) {
      const answer = await call(n, confirm);
      assert.equal(answer.status, status, await answer.text());
    }
  });
});

Deno.test("VAL-32 a run's clock stands still while a person is asked", async () => {
  await using gateway = await open();
  const command =
    'const name = ["a"].join("");\nawait (git as any)["ec" + name.slice(1) + "ho"]({})';
  for await (const event of stream(gateway, { command, timeout: 1 })) {
    if (event.type === "confirm") {
      await new Promise((resolve) => setTimeout(resolve, 1_500));
      await (await gateway.post(`/confirm/${event.id}`, { allow: "call" })).body?.cancel();
    }
    if (event.type === "result") assert.equal(event.ok, true, String(event.text));
  }
});

Deno.test("VAL-32 a question without an answer counts as a no", async () => {
  await using gateway = await open({ ask_timeout: 0.2 });
  for await (const event of stream(gateway, { command: "git.echo()" })) {
    if (event.type !== "result") continue;
    const { code, details } = (event as unknown as RunReply).error ?? {};
    assert.deepEqual([code, details?.reason], ["blocked", "declined"]);
  }
});

Deno.test("VAL-32 a client that goes away while it is asked ends its run", async () => {
  await using gateway = await open();
  const leaving = new AbortController();
  const response = await gateway.fetch("/run", {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/x-ndjson" },
    body: JSON.stringify({ command: "git.echo()" }),
    signal: leaving.signal,
  });
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  while (!text.includes('"confirm"')) text += (await reader?.read())?.value ?? "";
  leaving.abort();
  await reader?.cancel().catch(() => {});
  await gateway.idle();
});

Deno.test("VAL-32 a call outside a run is confirmed by a header", async () => {
  await using gateway = await open();
  const call = async (args: unknown, confirm?: string, tool = "git__echo") => {
    const headers: Record<string, string> = confirm ? { "X-Toolscript-Confirm": confirm } : {};
    const response = await gateway.post(`/tools/${tool}`, args, headers);
    return { status: response.status, body: await response.json() };
  };
  const first = await call({ b: 1, a: 2 });
  assert.equal(first.status, 409);
  const { code, message, details } = first.body.error;
  assert.equal(code, "needs_confirmation");
  assert.deepEqual(details.calls, [{ tool: "git.echo", arguments: { b: 1, a: 2 } }]);
  assert.match(message, new RegExp(`X-Toolscript-Confirm: ${details.confirm}`));
  assert.equal((await call({ a: 3 }, details.confirm)).status, 409);
  const second = await call({ a: 2, b: 1 }, details.confirm);
  assert.deepEqual([second.status, second.body.result], [200, { a: 2, b: 1 }]);
  assert.equal((await call({ a: 2, b: 1 }, details.confirm)).status, 409);
  assert.equal((await call({}, undefined, "git__pid")).status, 200);
});

Deno.test("VAL-32, VAL-33 blocked and warned tools, in code and at run time", async (t) => {
  await using gateway = await open({ ask: [], blocked: ["git.echo"], warned: ["git.pid"] });
  const byName = (name: string) => `const n: string = "${name}"; await (git as any)[n]({})`;

  await t.step("blocked in code", async () => {
    const reply = await takenRun(gateway, { command: 'git.echo()\neval("1")' });
    assert.equal(reply.error?.code, "blocked");
    assert.equal(reply.error?.details.pattern, "git.echo");
    assert.deepEqual(reply.text.split("\n"), [
      "git.echo is not allowed (matches 'git.echo') at command.ts:1:1",
      "Dangerous builtin 'eval' is not allowed (matches 'eval') at command.ts:2:1",
    ]);
    assert.equal(reply.calls, 0);
  });

  await t.step("blocked at run time", async () => {
    const reply = await takenRun(gateway, { command: byName("echo") });
    assert.equal(reply.error?.code, "blocked", reply.text);
    assert.equal(reply.error?.details.pattern, "git.echo");
    const response = await gateway.post("/tools/git__echo", {});
    assert.equal(response.status, 403);
    assert.equal((await response.json()).error.details.pattern, "git.echo");
  });

  await t.step("warned once", async () => {
    const shown = await takenRun(gateway, { command: "git.pid()\ngit.pid()" });
    assert.deepEqual(shown.warnings, [
      "Potentially unsafe function 'git.pid' at command.ts:1:1",
      "Potentially unsafe function 'git.pid' at command.ts:2:1",
    ]);
    const hidden = await takenRun(gateway, {
      command: `${byName("pid")}; git["p" + n.slice(1)]()`,
    });
    assert.deepEqual(hidden.warnings, ["Potentially unsafe function 'git.pid'"], hidden.text);
  });
});

Deno.test("VAL-32 security.enabled: false switches all of it off", async () => {
  await using gateway = await open({ enabled: false, blocked: ["git.pid"] });
  const reply = await takenRun(gateway, { command: "await git.pid()\ngit.echo(a=1)" });
  assert.deepEqual(reply.value, { a: 1 }, reply.text);
  const response = await gateway.post("/tools/git__echo", {});
  assert.equal(response.status, 200);
  await response.body?.cancel();
});
