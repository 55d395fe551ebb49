/** VAL-32: questions in a stream of events, while the run waits. */

import assert from "node:assert/strict";
import type { RunReply } from "#runtime";
import type { StreamEvent, TestGateway } from "../support/gateway.ts";
import { open, stream, takenRun } from "./val_ask.ts";

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
