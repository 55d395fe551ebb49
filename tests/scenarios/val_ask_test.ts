/** VAL-32: what must be confirmed, over HTTP. */

import assert from "node:assert/strict";
import type { TestGateway } from "../support/gateway.ts";
import { open, stream, takenRun } from "./val_ask.ts";

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
    const call = { tool: "git.echo", arguments: { name: "a" }, line: 1 };
    assert.deepEqual(details.calls, [call]);
    const reply = await takenRun(gateway, { command, confirm: details.confirm });
    assert.deepEqual(reply.error?.details.calls, [call, call], reply.text);
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

Deno.test("VAL-32 a run's clock stands still while a person is asked", async () => {
  await using gateway = await open();
  const command =
    'const name = ["a"].join("");\nawait (git as any)["ec" + name.slice(1) + "ho"]({})';
  for await (const event of stream(gateway, { command, timeout: 10 })) {
    if (event.type === "confirm") {
      await new Promise((resolve) => setTimeout(resolve, 10_500));
      await (await gateway.post(`/confirm/${event.id}`, { allow: "call" })).body?.cancel();
    }
    if (event.type === "result") assert.equal(event.ok, true, String(event.text));
  }
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
    const call = await takenRun(gateway, { command: "git.pid()\ngit.pid()" });
    assert.deepEqual(call.warnings, [
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
