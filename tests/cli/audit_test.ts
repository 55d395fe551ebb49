/** `toolscript audit`: what was asked, answered and refused. */

import assert from "node:assert/strict";
import { openCollector } from "../support/collector.ts";
import { newClient, overHttp } from "../gateway/mcp/clients.ts";
import { openSession } from "../gateway/page/browser_session.ts";
import { delay, openGateway } from "../support/gateway.ts";
import { pinnedCommand } from "../support/servers.ts";
import { openShop } from "../support/shop.ts";
import { caught } from "./io.ts";

const CONFIG = {
  servers: { memory: pinnedCommand("memory") },
  security: { blocked: ["memory.delete_*"], ask: ["memory.add_*"] },
};
const DYNAMIC = 'import { tools } from "toolscript"; const t: any = tools; ' +
  'await t.memory[["delete", "entities"].join("_")]({ entityNames: ["s3cr3t-value"] });';

Deno.test("audit lists each refusal once: at a call, before a run, of one call over HTTP", async (t) => {
  await using gateway = await openGateway(CONFIG);
  await gateway.ready();
  const at = { home: gateway.home, cwd: gateway.project, env: { TOOLSCRIPT_TRUST: "all" } };
  assert.equal((await gateway.run(DYNAMIC)).error?.code, "blocked");
  const literal =
    'import { tools } from "toolscript"; await tools.memory.deleteEntities({ entityNames: [] });';
  await gateway.run(literal);
  await (await gateway.post("/tools/memory__delete_entities", { entityNames: [] })).body?.cancel();
  await (await gateway.post("/tools/memory__read_graph", {})).body?.cancel();

  const rows = await untilRows(at, 3);
  for (const row of rows) {
    assert.deepEqual([row.kind, row.code, row.answer, row.from], [
      "refusal",
      "blocked",
      null,
      null,
    ]);
    assert.match(String(row.details.message), /memory\.delete_?entities/i);
    assert.equal(row.details.pattern, "memory.delete_*");
    assert.ok(Math.abs(Date.parse(row.at) - Date.now()) < 600_000);
  }
  assert.deepEqual(rows.map(({ tool, run }) => [tool, run !== null]), [
    ["memory.delete_entities", true],
    ["", true],
    ["memory.delete_entities", false],
  ]);
  await t.step("for a person, a line each", async () => {
    const { code, stdout } = await caught(["audit"], at);
    assert.equal(code, 0);
    assert.equal(stdout.trimEnd().split("\n").length, 3);
    assert.match(stdout, /refusal {2}memory\.delete_entities {2}blocked/);
  });
  await t.step("since a time", async () => {
    assert.equal(
      JSON.parse((await caught(["audit", "--json", "--since", "1h"], at)).stdout).length,
      3,
    );
    const late = await caught(["audit", "--json", "--since", "2999-01-01"], at);
    assert.deepEqual(JSON.parse(late.stdout), []);
    const wrong = await caught(["audit", "--since", "soon"], at);
    assert.equal(wrong.code, 2);
    assert.match(wrong.stderr, /Cannot take "--since soon": write 30m, 2h, 7d, 4w or a date/);
  });
});

Deno.test("audit lists each question, its answer, and where that came from", async () => {
  await using gateway = await openGateway({
    ...CONFIG,
    security: { ask: ["memory.delete_*"], ask_timeout: 60, approve: "plan" },
  });
  await gateway.ready();
  const at = { home: gateway.home, cwd: gateway.project, env: { TOOLSCRIPT_TRUST: "all" } };
  const remove = (name: string) => `memory.delete_entities(entityNames=["${name}"])`;

  async function answered(path: string, id: unknown, body: unknown): Promise<void> {
    const response = await gateway.post(`/${path}/${id}`, body);
    assert.equal(response.status, 200, await response.text());
  }

  const body = { script: undefined, command: `${remove("a")}\n${remove("b")}` };
  for await (const { type, id } of gateway.stream("", body)) {
    if (type === "plan") await answered("confirm", id, { allow: "all", calls: [0] });
  }
  const whole = gateway.post("/run", { command: remove("c"), wait: true });
  let questions: readonly { readonly id: string; readonly run: string }[] = [];
  while (questions.length === 0) questions = await (await gateway.fetch("/questions")).json();
  await answered("questions", questions[0]?.id, { allow: "no" });
  await (await whole).body?.cancel();

  const rows = (await untilRows(at, 6)).filter(({ kind }) => kind !== "refusal");
  assert.deepEqual(rows.map(({ kind, answer, from }) => [kind, answer, from]), [
    ["question", null, null],
    ["answer", "some", "http"],
    ["question", null, null],
    ["answer", "no", "http"],
  ]);
  assert.deepEqual(rows.map(({ run }) => run).slice(2), [questions[0]?.run, questions[0]?.run]);
  assert.match(JSON.stringify(rows[0]?.details), /"kind":"plan".*"a".*"b".*"count":2/);
});

Deno.test("audit lists calls that a client confirmed in its next request", async () => {
  await using shop = await openShop();
  const { gateway } = shop;
  const at = { home: gateway.home, cwd: gateway.project, env: { TOOLSCRIPT_TRUST: "all" } };
  const send = async (body: Record<string, unknown>) =>
    await (await gateway.post("/run", body, { "user-agent": "ana" })).json();
  const command = "shop.refund(id=1)";
  const { error } = await send({ command });
  await send({ command, confirm: error.details.confirm });
  const { plan } = await send({ command, plan: true });
  await send({ command, plan: plan.id });
  const call = await gateway.post("/tools/shop__refund", { id: 2 }, { "user-agent": "ben" });
  const { error: { details } } = await call.json();
  const header = { "x-toolscript-confirm": details.confirm, "user-agent": "ben" };
  await (await gateway.post("/tools/shop__refund", { id: 2 }, header)).body?.cancel();

  const rows = await untilRows(at, 5);
  assert.deepEqual(
    rows.map(({ kind, client, code, answer, from }) => [
      kind,
      client,
      code ?? answer,
      from,
    ]),
    [
      ["refusal", "ana", "needs_confirmation", null],
      ["answer", "ana", "call", "http"],
      ["answer", "ana", "all", "http"],
      ["refusal", "ben", "needs_confirmation", null],
      ["answer", "ben", "call", "http"],
    ],
  );
  assert.ok(rows.every(({ tool }) => tool === "shop.refund"));
  assert.deepEqual(rows.map(({ run }) => run !== null), [true, true, true, false, false]);
  assert.match(JSON.stringify(rows[2]?.details), /"arguments":\{"id":1\}.*"count":1/);
  assert.ok(!JSON.stringify(rows).includes(details.confirm));
});

Deno.test("audit tells answers of terminals, clients and the page apart", async () => {
  await using shop = await openShop();
  const { gateway } = shop;
  const { home, project: cwd, url, token } = gateway;
  const env = { TOOLSCRIPT_GATEWAY_URL: url, TOOLSCRIPT_TOKEN: token, TOOLSCRIPT_TRUST: "all" };
  const at = { home, cwd, env };
  const command = "shop.refund(id=1)";
  await caught(["run", command], { ...at, lines: ["y"] });
  const client = newClient("modern", { capabilities: { elicitation: { form: {} } } });
  client.setRequestHandler("elicitation/create", () => ({
    action: "accept",
    content: { allow: "call" },
  }));
  await using connection = await overHttp(gateway, client);
  await connection.client.callTool({ name: "run", arguments: { command } });
  const waiting = gateway.post("/run", { command, wait: true });
  const browser = await openSession(gateway);
  let questions: readonly { readonly id: string }[] = [];
  while (questions.length === 0) questions = await (await browser.fetch("/questions")).json();
  await browser.submit(`/page/questions/${questions[0]?.id}`, { allow: "call" });
  await (await waiting).body?.cancel();

  const answers = (await untilRows(at, 6)).filter(({ kind }) => kind === "answer");
  assert.deepEqual(answers.map(({ answer, from, client }) => [answer, from, client]), [
    ["call", "terminal", "cli"],
    ["call", "client", "test"],
    ["call", "page", null],
  ]);
});

Deno.test("the audit goes to an OpenTelemetry collector as log records", async () => {
  await using collector = openCollector();
  const variables = {
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
    OTEL_TRACES_EXPORTER: "none",
  };
  for (const [name, value] of Object.entries(variables)) Deno.env.set(name, value);
  try {
    await using gateway = await openGateway(CONFIG);
    await gateway.ready();
    await gateway.run(DYNAMIC);
    for (let tries = 0; tries < 600 && collector.logs.length === 0; tries++) await delay(100);
  } finally {
    for (const name of Object.keys(variables)) Deno.env.delete(name);
  }
  const [record, ...more] = collector.logs;
  assert.deepEqual(more, []);
  assert.equal(record?.eventName, "toolscript.audit.refusal");
  assert.equal(record?.service, "toolscript");
  assert.equal(record?.attributes["toolscript.audit.tool"], "memory.delete_entities");
  assert.equal(record?.attributes["toolscript.audit.code"], "blocked");
});

interface Row {
  readonly at: string;
  readonly kind: string;
  readonly client: string | null;
  readonly run: string | null;
  readonly tool: string;
  readonly answer: string | null;
  readonly from: string | null;
  readonly code: string | null;
  readonly details: Readonly<Record<string, unknown>>;
}

/** Rows are written a moment after the event. */
async function untilRows(at: Parameters<typeof caught>[1], count: number): Promise<Row[]> {
  for (let tries = 0; tries < 600; tries++) {
    const { stdout } = await caught(["audit", "--json"], at);
    const rows = JSON.parse(stdout);
    if (rows.length >= count) {
      assert.equal(rows.length, count);
      return rows;
    }
    await delay(100);
  }
  throw new Error("The rows were not written");
}
