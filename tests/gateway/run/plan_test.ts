/** Plans by `POST /run`. */

import assert from "node:assert/strict";
import type { RunReply } from "#runtime";
import type { TestGateway } from "../../support/gateway.ts";
import { openShop } from "../../support/shop.ts";

async function run(gateway: TestGateway, body: Record<string, unknown>): Promise<RunReply> {
  const response = await gateway.post("/run", body);
  const reply = await response.json();
  assert.equal(response.status, 200, JSON.stringify(reply));
  return reply;
}

async function planOf(gateway: TestGateway, command: string, more: Record<string, unknown> = {}) {
  const reply = await run(gateway, { command, plan: true, ...more });
  assert.equal(reply.ok, true, reply.text);
  assert.ok(reply.plan, reply.text);
  return reply.plan;
}

const LOOP = `const { orders } = shop.list_orders()
shop.note(text="begin")
for (const { id } of orders) shop.refund(id=id)
shop.note(text="end")`;

Deno.test("a plan lists every write with its arguments, line and effect, and makes none", async () => {
  await using shop = await openShop();
  const { gateway } = shop;
  const plan = await planOf(gateway, LOOP);
  assert.match(plan.id, /^p_/);
  const refund = (id: number) => ({
    tool: "shop.refund",
    arguments: { id },
    line: 3,
    effect: "write",
  });
  assert.deepEqual(plan.calls.slice(2), [refund(1), refund(2), refund(3)]);
  // Of one tool, together.
  const notes = plan.calls.slice(0, 2);
  assert.deepEqual(notes.map(({ tool, arguments: args }) => [tool, args]), [
    ["shop.note", { text: "begin" }],
    ["shop.note", { text: "end" }],
  ]);
  assert.deepEqual([plan.uncertain, plan.incomplete], [false, false]);
  assert.deepEqual(await shop.writes(), []);
});

const NEVER = "shop.list_orders().orders.length > 99";

Deno.test("each call of a plan has the line that makes it", async (t) => {
  await using shop = await openShop();
  const rows: readonly (readonly [name: string, command: string, lines: (number | null)[]])[] = [
    ["the same call twice", "shop.refund(id=1)\nshop.refund(id=1)", [1, 2]],
    [
      "a computed call before a literal one of the same arguments",
      "const a = 1\nif (a) shop.refund(id=a)\nshop.refund(id=1)",
      [2, 3],
    ],
    [
      "two computed calls",
      "const { orders: [a, b] } = shop.list_orders()\nshop.refund(id=a.id)\nshop.refund(id=b.id)",
      [2, 3],
    ],
    [
      "two loops",
      "for (const id of [1, 2]) shop.refund(id=id)\nfor (const id of [1, 2]) shop.refund(id=id)",
      [1, 1, 2, 2],
    ],
    [
      "a loop, and a literal call that is not reached",
      `for (const id of [9])\n shop.refund(id=id)\nif (${NEVER}) shop.refund(id=9)`,
      [2],
    ],
    ["a function", "const f = (id: number) => shop.refund(id=id)\nf(1)\nshop.refund(id=1)\nf(1)", [
      1,
      3,
      1,
    ]],
    [
      "one of two that is not reached",
      `if (${NEVER})\n  shop.refund(id=1)\nelse\n  shop.refund(id=2)`,
      [4],
    ],
    ["another name for the tool", "const f = shop.refund\nf({ id: 1 })\nshop.refund(id=2)", [2, 3]],
    [
      "another name, and a call that is not reached",
      `const { refund } = shop\nrefund({ id: 1 })\nif (${NEVER}) shop.refund(id=1)`,
      [2],
    ],
    ["another name for the server", "const s = shop\ns.refund({ id: 1 })\nshop.refund(id=2)", [
      2,
      3,
    ]],
    [
      "a computed name",
      "const n = ['refund'].join('')\nawait (shop as any)[n]({ id: 1 })\nshop.refund(id=2)",
      [2, 3],
    ],
    [
      "a call that is made later",
      "const p = Promise.resolve().then(() => shop.refund({ id: 7 }))\nshop.refund(id=8)\nawait p",
      [2, 1],
    ],
    [
      "calls that fail their check",
      "for (const id of ['x' as any, 1])\n  try { shop.refund({ id }) } catch {}\nshop.refund(id=1)",
      [2, 3],
    ],
    [
      "a call that no line of the program makes",
      "await Promise.resolve({ id: 1 }).then(shop.refund)",
      [null],
    ],
  ];
  for (const [name, command, lines] of rows) {
    await t.step(name, async () => {
      const { calls } = await planOf(shop.gateway, command);
      assert.deepEqual(calls.map(({ line }) => line), lines);
    });
  }
  await t.step("a module beside the script", async () => {
    const script =
      'import { pay } from "./pay.ts";\n\nawait pay(1);\nawait Promise.all([\n  pay(2),\n' +
      "  pay(3),\n]);";
    const pay = 'import { tools } from "toolscript";\n' +
      "export const pay = (id: number) => tools.shop.refund({ id });";
    const { plan } = await run(shop.gateway, { script, files: { "pay.ts": pay }, plan: true });
    assert.deepEqual(plan?.calls.map(({ line }) => line), [3, 5, 6]);
  });
  await t.step("a module that calls later", async () => {
    const script = 'import { pay } from "./pay.ts";\nconst paid = pay(1);\nawait paid;';
    const pay = 'import { tools } from "toolscript";\nexport async function pay(id: number) {\n' +
      "  await 0;\n  await tools.shop.refund({ id });\n}";
    const { plan } = await run(shop.gateway, { script, files: { "pay.ts": pay }, plan: true });
    assert.deepEqual(plan?.calls.map(({ line }) => line), [null]);
  });
});

Deno.test("a plan runs once, for its own program, as it was approved", async (t) => {
  await using shop = await openShop();
  const { gateway } = shop;
  const { id } = await planOf(gateway, LOOP);
  const again = (command: string, plan: string) => gateway.post("/run", { command, plan });

  await t.step("not for another program", async () => {
    const response = await again(`${LOOP} `, id);
    assert.deepEqual([response.status, (await response.json()).error.code], [404, "not_found"]);
  });
  await t.step("once", async () => {
    const reply = await run(gateway, { command: LOOP, plan: id });
    assert.equal(reply.ok, true, reply.text);
    assert.deepEqual(await shop.writes(), [
      'note {"text":"begin"}',
      'refund {"id":1}',
      'refund {"id":2}',
      'refund {"id":3}',
      'note {"text":"end"}',
    ]);
    for (const plan of [id, "p_unknown", "x"]) {
      const response = await again(LOOP, plan);
      assert.deepEqual([response.status, (await response.json()).error.code], [404, "not_found"]);
    }
  });
  await t.step("and what it does not hold is asked about by itself", async () => {
    // The journal has grown, so that another order is paid back now.
    const command = `const made = shop.journal()\nshop.refund(id=made.length)`;
    const plan = await planOf(gateway, command);
    assert.deepEqual(plan.calls.map(({ arguments: args }) => args), [{ id: 5 }]);
    await (await gateway.post("/tools/shop__note", { text: "x" })).body?.cancel();
    const reply = await run(gateway, { command, plan: plan.id });
    assert.equal(reply.error?.code, "needs_confirmation", reply.text);
    assert.equal((await shop.writes()).length, 6);
  });
});

Deno.test("a plan covers a call as often as it holds it", async () => {
  await using shop = await openShop();
  const command = "for (const _ of [1, 2]) shop.refund(id=1)";
  const { id, calls } = await planOf(shop.gateway, command);
  assert.equal(calls.length, 2);
  const reply = await run(shop.gateway, { command, plan: id });
  assert.equal(reply.ok, true, reply.text);
  assert.equal((await shop.writes()).length, 2);
});

Deno.test("a plan tells if anything may depend on a stand-in", async (t) => {
  await using shop = await openShop();
  const rows: readonly (readonly [name: string, command: string, uncertain: boolean])[] = [
    ["an argument", "const t = shop.create_ticket(title='a')\nshop.note(text=t.key)", true],
    ["a condition", "if (shop.create_ticket(title='a').key) shop.note(text='x')", true],
    [
      "a condition without calls behind it",
      "const t = shop.create_ticket(title='a')\nif (t.key === 'x') shop.note(text='x')",
      true,
    ],
    ["a loop", "for (const w of shop.create_ticket(title='a').watchers) shop.note(text=w)", true],
    ["a text of it", "shop.note(text=`${JSON.stringify(shop.refund(id=1))}`)", true],
    [
      "a text of it that no trap sees",
      "const t = shop.create_ticket(title='a')\n" +
      "const s = (Reflect.get(globalThis, 'Den' + 'o') as any).inspect(t)\n" +
      "shop.note(text=s.includes('key') ? 'seen' : 'unseen')",
      true,
    ],
    [
      "a copy that is frozen",
      "const t = Object.freeze(shop.create_ticket(title='a'))\nshop.note(text=t.key)",
      true,
    ],
    ["a test of a result of any type", "if (shop.note(text='a')) shop.note(text='b')", true],
    ["a test of a variable", "const n = shop.note(text='a')\nif (!n) shop.note(text='b')", true],
    [
      "a test by a function",
      "const n = shop.note(text='a')\nif (Array.isArray(n)) shop.note(text='b')",
      true,
    ],
    [
      "an error that it hides",
      "try { (shop.refund(id=1) as any).x.y } catch { shop.note(text='a') }",
      true,
    ],
    ["nothing", "shop.note(text='a')\nshop.refund(id=1)", false],
    [
      "nothing in a list",
      "const all = []\nfor (const id of [1, 2]) all.push(shop.refund(id=id))\nall",
      false,
    ],
    ["nothing at once", "await Promise.all([1, 2].map((id) => shop.refund({ id })))", false],
    ["the value", "const t = shop.create_ticket(title='a')\nt", false],
    ["what was read", "const n = shop.list_orders().orders.length\nshop.note(text=`${n}`)", false],
  ];
  for (const [name, command, uncertain] of rows) {
    await t.step(name, async () => {
      const plan = await planOf(shop.gateway, command);
      assert.equal(plan.uncertain, uncertain, JSON.stringify(plan));
    });
  }
  await t.step("over a connection, where it cannot be seen", async () => {
    const script = 'import { tools } from "toolscript";\n' +
      "Deno.stdin.readSync(new Uint8Array(1));\nawait tools.shop.note({ text: 'a' });";
    const { plan } = await run(shop.gateway, { script, stdin: "x", plan: true });
    assert.deepEqual([plan?.calls.length, plan?.uncertain], [1, true]);
  });
  await t.step("in a script", async () => {
    const script = 'import { tools } from "toolscript";\nconst t = await tools.shop.createTicket(' +
      '{ title: "a" });\nawait tools.shop.note({ text: t.key });';
    const { plan } = await run(shop.gateway, { script, plan: true });
    assert.equal(plan?.uncertain, true);
    assert.deepEqual(plan?.calls.map(({ line }) => line), [2, 3]);
  });
  assert.deepEqual(await shop.writes(), []);
});

Deno.test("stand-ins are of the type of the result, declared or learned", async (t) => {
  await using shop = await openShop();
  const { gateway } = shop;
  const noteOf = async (command: string) => {
    const { calls } = await planOf(gateway, command);
    return calls.at(-1)?.arguments.text;
  };
  await t.step("declared", async () => {
    const text = await noteOf("shop.note(text=JSON.stringify(shop.create_ticket(title='a')))");
    assert.equal(text, '{"key":"","watchers":[]}');
    assert.equal(await noteOf("shop.note(text=`${shop.refund(id=1).ok}`)"), "false");
  });
  await t.step("of any type", async () => {
    assert.equal(await noteOf("shop.purge()\nshop.note(text=JSON.stringify(shop.purge()))"), "{}");
  });
  await t.step("learned", async () => {
    await (await gateway.post("/tools/shop__note", { text: "a" })).body?.cancel();
    for (;;) {
      const text = await noteOf("shop.note(text=typeof shop.note(text='b'))");
      if (text === "string") break;
      assert.equal(text, "object");
    }
    const kept = await planOf(gateway, "const n = shop.note(text='b')\nn");
    const dropped = await planOf(gateway, "shop.note(text='b')\nshop.note(text='c')");
    assert.deepEqual([kept.uncertain, dropped.uncertain], [true, false]);
  });
});

Deno.test("a program that fails while it is planned is planned as far as it came", async () => {
  await using shop = await openShop();
  const command = "shop.refund(id=1)\nthrow new Error('Oh')\nshop.refund(id=2)";
  const { calls, incomplete, id } = await planOf(shop.gateway, command);
  assert.deepEqual(calls.map(({ arguments: args }) => args), [{ id: 1 }]);
  assert.equal(incomplete, true);
  const reply = await run(shop.gateway, { command, plan: id });
  assert.equal(reply.error?.code, "thrown");
  assert.deepEqual(await shop.writes(), ['refund {"id":1}']);
});

Deno.test("a plan holds a bounded size of calls", async () => {
  await using shop = await openShop();
  const command = "const text = 'x'.repeat(900_000)\n" +
    "for (let i = 0; i < 12; i++) { try { shop.note(text=text) } catch {} }";
  const plan = await planOf(shop.gateway, command);
  assert.equal(plan.incomplete, true);
  assert.ok(plan.calls.length < 12);
});

Deno.test("a plan makes no call within a call, and is no way round a list", async (t) => {
  await using shop = await openShop({
    security: { ask: ["shop.refund"], blocked: ["shop.purge"] },
    snippets: { pay: { params: { n: {} }, body: "shop.refund(id={{ n }})" } },
  });
  const { gateway } = shop;
  await t.step("of a snippet", async () => {
    const { calls } = await planOf(gateway, "for (const n of [1, 2]) snippets.pay({ n })");
    assert.deepEqual(calls.map(({ tool, arguments: args }) => [tool, args]), [
      ["shop.refund", { id: 1 }],
      ["shop.refund", { id: 2 }],
    ]);
  });
  await t.step("that is blocked", async () => {
    const reply = await run(gateway, {
      command: "const n = ['purge'].join('')\nawait (shop as any)[n]()",
      plan: true,
    });
    assert.deepEqual([reply.plan?.calls, reply.plan?.incomplete], [[], true], reply.text);
    const refused = await run(gateway, { command: "shop.purge()", plan: true });
    assert.equal(refused.error?.code, "blocked");
  });
  await t.step("with wrong arguments", async () => {
    const command = "const id = 'x' as any\nshop.refund({ id })";
    assert.equal((await planOf(gateway, command)).incomplete, true);
  });
  assert.deepEqual(await shop.writes(), []);
});

Deno.test("what is planned is checked, and noteOf in words", async () => {
  await using shop = await openShop();
  const { gateway } = shop;
  const wrong = await run(gateway, { command: "shop.refund({ id: 'x' })", plan: true });
  assert.equal(wrong.error?.code, "type_error");
  const { text, stdout } = await run(gateway, {
    command: `console.log("out")\n${LOOP}`,
    plan: true,
  });
  assert.match(text, /^shop\.note:\n {2}1\.[\s\S]*shop\.refund:\n {2}3\. line 4\n {4}\| "id": 1/);
  assert.equal(stdout, "");
  const none = await run(gateway, { command: "1 + 1", plan: true });
  assert.match(none.text, /^The program would change nothing\.\nPlan p_/);
  for (const body of [{ plan: 1 }, { plan: true, confirm: "x" }]) {
    const response = await gateway.post("/run", { command: "1", ...body });
    assert.equal(response.status, 400, await response.text());
  }
});

Deno.test("statistics count no call of a plan", async () => {
  await using shop = await openShop();
  const calls = async () => {
    const response = await shop.gateway.post("/tools/ot__stats", {});
    return (await response.json()).result;
  };
  const before = await calls();
  await planOf(shop.gateway, LOOP);
  const { tools: now, runs } = await calls();
  const names = JSON.stringify(now);
  assert.ok(!names.includes("shop.refund") && !names.includes("list_orders"), names);
  assert.deepEqual(runs, before.runs);
});
