/** Rules that see arguments: `security.rules`. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { caught } from "../../cli/io.ts";
import { openGateway, type StreamEvent, type TestGateway } from "../../support/gateway.ts";
import { newClient, overHttp, textOf } from "../mcp/clients.ts";

const SERVER = fileURLToPath(new URL("../../fixtures/mcp/changing_server.ts", import.meta.url));
const inputSchema = { type: "object", properties: {} };
const TOOLS = [
  { name: "refund", description: "Pays back", inputSchema },
  { name: "purge", description: "Destroys", inputSchema, annotations: { destructiveHint: true } },
  { name: "get", description: "Reads", inputSchema, annotations: { readOnlyHint: true } },
  { name: "who", description: "Says who calls", inputSchema },
];
const RULES = [
  { tool: "shop.refund", when: "args.amount > 100", then: "ask", because: "Large ones are seen" },
  { tool: "shop.ref*", when: "!args.to.all(a, a.endsWith('@example.com'))", then: "blocked" },
  { effect: "destroy", then: "ask" },
  { tool: "shop.get", when: "args.id == 'secret'", then: "blocked", because: "It is secret" },
  { tool: "shop.get", when: "args.id == 'secret'", then: "ask" },
  {
    tool: "shop.get",
    when: "args.l.all(x, args.l.all(y, args.l.all(z, z >= 0)))",
    then: "blocked",
  },
  { tool: "shop.who", when: "client != 'cli' || server != 'shop'", then: "blocked" },
];

async function openStage(security: Record<string, unknown> = { rules: RULES }) {
  const folder = await Deno.realPath(await Deno.makeTempDir({ prefix: "toolscript-rules-" }));
  const file = join(folder, "tools.json");
  await Deno.writeTextFile(file, JSON.stringify(TOOLS));
  const args = ["run", "--allow-all", "--quiet", "--no-config", "--no-lock", SERVER, file];
  const gateway = await openGateway({
    servers: { shop: { command: Deno.execPath(), args } },
    security,
  });
  await gateway.ready();
  return {
    gateway,
    async [Symbol.asyncDispose]() {
      await gateway[Symbol.asyncDispose]();
      await Deno.remove(folder, { recursive: true });
    },
  };
}

async function send(gateway: TestGateway, command: string, more = {}) {
  const response = await gateway.post("/run", { command, ...more });
  return { status: response.status, reply: await response.json() };
}

/** Error of a run, once each event was looked at. */
async function endOf(
  events: AsyncIterable<StreamEvent>,
  look: (event: StreamEvent) => Promise<void>,
): Promise<Record<string, unknown>> {
  let error: unknown;
  for await (const event of events) {
    await look(event);
    error = event.error;
  }
  return error as Record<string, unknown>;
}

const TO = '"to": ["a@example.com"]';

Deno.test("rules decide by tool, effect and arguments", async (t) => {
  await using stage = await openStage();
  const { gateway } = stage;
  await t.step("a call that matches none is made", async () => {
    const { reply } = await send(gateway, `shop.refund({"amount": 20, ${TO}})`);
    assert.equal(reply.ok, true, reply.text);
  });
  await t.step("a literal call is asked about before anything runs", async () => {
    const { status, reply } = await send(gateway, `shop.refund({"amount": 120, ${TO}})`);
    assert.deepEqual([status, reply.error.code], [409, "needs_confirmation"]);
    assert.equal(reply.error.details.rule, 0);
    const [call] = reply.error.details.calls;
    assert.deepEqual(call.arguments, { amount: 120, to: ["a@example.com"] });
    assert.equal(call.because, "Large ones are seen");
    assert.match(
      reply.error.message,
      /since "Large ones are seen".*change that rule/,
    );
    const { confirm } = reply.error.details;
    const again = await send(gateway, `shop.refund({"amount": 120, ${TO}})`, { confirm });
    assert.equal(again.reply.ok, true, again.reply.text);
  });
  await t.step("a computed call is asked about when it is made", async () => {
    const { status, reply } = await send(
      gateway,
      `const n = 60 + 60; shop.refund({amount: n, ${TO}})`,
    );
    assert.deepEqual([status, reply.error.code], [200, "needs_confirmation"]);
    assert.equal(reply.error.details.rule, 0);
    assert.match(reply.error.message, /since "Large ones are seen"/);
  });
  await t.step("a literal call that is declined has its rule and the reason", async () => {
    const command = `shop.refund({"amount": 120, ${TO}})`;
    const events = gateway.stream("", { script: undefined, command });
    const { details, message } = await endOf(events, async ({ type, id }) => {
      if (type !== "confirm") return;
      await (await gateway.post(`/confirm/${id}`, { allow: "no" })).body?.cancel();
    });
    assert.deepEqual(details, { reason: "declined", pattern: "security.rules[0]", rule: 0 });
    assert.match(String(message), /was declined, since "Large ones are seen": do without it/);
  });
  await t.step("the command line says why, too", async () => {
    const env = { TOOLSCRIPT_GATEWAY_URL: gateway.url, TOOLSCRIPT_TOKEN: gateway.token };
    const at = { home: gateway.home, cwd: gateway.project, env };
    const { code, stderr } = await caught(["run", `shop.refund({"amount": 120, ${TO}})`], at);
    assert.equal(code, 1);
    assert.match(stderr, /since "Large ones are seen": run it on a terminal .*change that rule/);
  });
  await t.step("blocked goes before ask", async () => {
    const { reply } = await send(gateway, 'shop.refund({"amount": 120, "to": ["x@y.org"]})');
    assert.deepEqual([reply.error.code, reply.error.details.rule], ["blocked", 1]);
    const get = await send(gateway, 'shop.get(id="secret")');
    assert.deepEqual([get.reply.error.code, get.reply.error.details.rule], ["blocked", 3]);
    assert.match(get.reply.error.message, /since "It is secret"/);
  });
  await t.step("a rule by effect needs no expression", async () => {
    const { reply } = await send(gateway, "shop.purge()");
    assert.deepEqual([reply.error.code, reply.error.details.rule], ["needs_confirmation", 2]);
  });
  await t.step("an expression that fails or takes too long asks", async () => {
    const missing = await send(gateway, "shop.refund(amount=5)");
    assert.deepEqual([missing.reply.error.code, missing.reply.error.details.rule], [
      "needs_confirmation",
      1,
    ]);
    const l = JSON.stringify(Array.from({ length: 3_000 }, () => 1));
    const response = await gateway.post("/tools/shop__get", { id: "x", l: JSON.parse(l) });
    assert.equal(response.status, 409);
    assert.equal((await response.json()).error.details.rule, 5);
    const long = await gateway.post("/tools/shop__get", { id: "x".repeat(70_000), l: [] });
    assert.equal(long.status, 409);
    await long.body?.cancel();
  });
  await t.step("POST /tools/:name is judged, too", async () => {
    const response = await gateway.post("/tools/shop__get", { id: "secret", l: [] });
    assert.equal(response.status, 403);
    assert.equal((await response.json()).error.details.rule, 3);
  });
  await t.step("client is cli for the command line, http for others", async () => {
    const env = { TOOLSCRIPT_GATEWAY_URL: gateway.url, TOOLSCRIPT_TOKEN: gateway.token };
    const at = { home: gateway.home, cwd: gateway.project, env };
    assert.equal((await send(gateway, "shop.who()")).reply.error.code, "blocked");
    const named = await gateway.post("/run", { command: "shop.who()" }, { "user-agent": "cli" });
    assert.equal((await named.json()).error.code, "blocked");
    assert.equal((await caught(["run", "shop.who()"], at)).code, 0);
  });
});

Deno.test("a call about which nobody answers in time has its rule and the reason", async () => {
  const rules = [{ tool: "shop.refund", then: "ask", because: "Refunds are seen" }];
  await using stage = await openStage({ rules, ask_timeout: 0.2 });
  for (const command of ["shop.refund(n=1)", "const n = 1; shop.refund(n=n)"]) {
    const { error } = (await send(stage.gateway, command, { wait: true })).reply;
    const { code, message, details: { reason, pattern, rule } } = error;
    assert.deepEqual({ code, reason, pattern, rule }, {
      code: "blocked",
      reason: "declined",
      pattern: "security.rules[0]",
      rule: 0,
    });
    assert.match(message, /be confirmed, since "Refunds are seen", and nobody has answered/);
  }
});

Deno.test("of all rules and lists the strictest decides, and of equal rules the first", async (t) => {
  const rules = [
    { tool: "shop.get", then: "allow" },
    { tool: "shop.who", when: "args.n", then: "blocked" },
    { tool: "shop.refund", then: "warned" },
    { tool: "shop.refund", when: "client == 'test'", then: "blocked", because: "Not by this one" },
    { effect: "destroy", when: "project.startsWith('/')", then: "ask", because: "Is lost" },
    { effect: "destroy", then: "ask", because: "Comes later" },
  ];
  await using stage = await openStage({ rules, ask: ["shop.get"], allow: ["shop.purge"] });
  const { gateway } = stage;
  await t.step("a rule that allows does not overrule a list that asks", async () => {
    assert.equal((await send(gateway, "shop.get()")).reply.error.code, "needs_confirmation");
  });
  await t.step("nor a list that allows a rule that asks", async () => {
    const { error } = (await send(gateway, "shop.purge()")).reply;
    assert.deepEqual([error.code, error.details.rule], ["needs_confirmation", 4]);
    assert.match(error.message, /since "Is lost"/);
  });
  await t.step("what gives no boolean asks", async () => {
    const { error } = (await send(gateway, "shop.who(n=1)")).reply;
    assert.deepEqual([error.code, error.details.rule], ["needs_confirmation", 1]);
  });
  await t.step("a warning is one, and the client's name is the one that it gives", async () => {
    const { reply } = await send(gateway, "shop.refund()");
    assert.deepEqual([reply.ok, reply.warnings], [true, [
      "Potentially unsafe function 'shop.refund'",
    ]]);
    await using connection = await overHttp(gateway, newClient("modern"));
    const params = { name: "run", arguments: { command: "shop.refund()" } };
    const result = await connection.client.callTool(params);
    assert.match(textOf(result), /not allowed .*since "Not by this one"/);
  });
});

Deno.test("security.enabled: false switches the rules off", async () => {
  await using stage = await openStage({
    enabled: false,
    rules: [{ tool: "shop.*", then: "blocked" }],
  });
  assert.equal((await send(stage.gateway, "shop.purge()")).reply.ok, true);
});

Deno.test("a wrong rule is an error of the configuration, with line and column", async (t) => {
  const cases: Readonly<Record<string, readonly [string, RegExp]>> = {
    "syntax": ["tool: a.b, then: ask, when: args.x >", /onetool\.yaml:3:\d+.*when/s],
    "a variable that is not there": ["tool: a.b, then: ask, when: nope == 1", /3:37.*nope/s],
    "a variable behind a quote": [`tool: a.b, then: ask, when: "'a' == nope"`, /:3:45.*nope/s],
    "a variable behind escapes": [`tool: a.b, then: ask, when: '''a'' == nope'`, /:3:47.*nope/s],
    "a variable in a later line": [
      "\n        tool: a.b,\n        then: ask,\n        when: args.x > 1 &&\n          nope",
      /:7:11.*nope/s,
    ],
    "a function that is not there": ["tool: a.b, then: ask, when: args.x.run()", /:3:\d+.*run/s],
    "no boolean": ["tool: a.b, then: ask, when: 1 + 1", /must give true or false/],
    "too long": [`tool: a.b, then: ask, when: "${"true && ".repeat(600)}true"`, /4096 characters/],
    "neither tool nor effect": ["then: ask", /neither "tool" nor "effect"/],
    "no consequence": ["tool: a.b", /no "then"/],
    "another consequence": ["tool: a.b, then: never", /^Error: [^\n]*3:26[^\n]*"never"\n?$/],
    "another effect": ["effect: reads, then: ask", /^Error: [^\n]*3:17[^\n]*"read"\?\n?$/],
  };
  for (const [name, [rule, expected]] of Object.entries(cases)) {
    await t.step(name, async () => {
      const cwd = await Deno.makeTempDir({ prefix: "toolscript-rules-" });
      const text = `security:\n  rules:\n    - { ${rule} }\n`;
      await Deno.writeTextFile(join(cwd, "onetool.yaml"), text);
      const { code, stderr } = await caught(["list", "--config", "onetool.yaml"], {
        home: cwd,
        cwd,
      });
      assert.equal(code, 2, stderr);
      assert.match(stderr, expected);
      await Deno.remove(cwd, { recursive: true });
    });
  }
});
