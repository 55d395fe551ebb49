/** One question for a whole program, to the persons behind MCP clients and on the page. */

import assert from "node:assert/strict";
import { delay, type TestGateway } from "../../../support/gateway.ts";
import { openShop } from "../../../support/shop.ts";
import { openSession } from "../../page/browser_session.ts";
import { ERAS, newClient, overHttp, overStdio, textOf } from "../clients.ts";

const LOOP = `const { orders } = shop.list_orders()
shop.note(text="begin")
const done = []
for (const { id } of orders) {
  try { done.push(shop.refund(id=id).ok) } catch (error) { done.push(error.code) }
}
done`;

const open = (security: Record<string, unknown> = {}) =>
  openShop({ security: { approve: "plan", ...security } });

interface Form {
  readonly message: string;
  readonly requestedSchema: {
    readonly properties: Record<string, { readonly items?: { readonly anyOf: unknown[] } }>;
  };
}

type Content = Record<string, string | string[]>;

/** A client whose person answers every form so; undefined is a refusal. */
function answering(era: (typeof ERAS)[number], answer: (count: number) => Content | undefined) {
  const client = newClient(era, { capabilities: { elicitation: { form: {} } } });
  const forms: Form[] = [];
  client.setRequestHandler("elicitation/create", ({ params }) => {
    forms.push(params as unknown as Form);
    const content = answer(forms.length);
    return content ? { action: "accept", content } : { action: "decline" };
  });
  return { client, forms };
}

for (const era of ERAS) {
  Deno.test(`the person behind a ${era} MCP client is asked once about a program`, async (t) => {
    await using shop = await open();
    const call = async (answer: (count: number) => Content | undefined, command = LOOP) => {
      const { client, forms } = answering(era, answer);
      await using _connection = await overHttp(shop.gateway, client);
      const result = await client.callTool({ name: "run", arguments: { command, format: "json" } });
      return { forms, text: textOf(result), isError: result.isError === true };
    };

    await t.step("who sees every call first", async () => {
      const { forms, text, isError } = await call(() => undefined);
      assert.equal(forms.length, 1);
      assert.match(
        String(forms[0]?.message),
        /^Allow these 4 calls\?\nshop\.note:\n {2}1\. line 2\n {4}\| "text": "begin"\nshop\.refund:\n {2}2\. line 5\n {4}\| "id": 1\n/,
      );
      assert.equal(forms[0]?.requestedSchema.properties.calls?.items?.anyOf.length, 4);
      assert.deepEqual([isError, await shop.writes()], [true, []]);
      assert.match(text, /declined/);
    });
    await t.step("and can allow all", async () => {
      const { forms, text } = await call(() => ({ allow: "all" }));
      assert.deepEqual([forms.length, JSON.parse(text)], [1, [true, true, true]]);
      assert.deepEqual((await shop.writes()).length, 4);
    });
    await t.step("or some: what was left out is refused", async () => {
      const before = (await shop.writes()).length;
      const { forms, text } = await call(() => ({ allow: "all", calls: ["1", "3"] }));
      assert.equal(forms.length, 1);
      // The note was left out too, which needs no question of its own.
      assert.match(text, /"shop\.note": it was declined/);
      const noted = await call(() => ({ allow: "all", calls: ["0", "1", "3"] }));
      assert.deepEqual(JSON.parse(noted.text), [true, "blocked", true]);
      const writes = (await shop.writes()).slice(before);
      assert.deepEqual(writes, ['note {"text":"begin"}', 'refund {"id":1}', 'refund {"id":3}']);
    });
    await t.step("or none", async () => {
      const before = (await shop.writes()).length;
      const refusals: Content[] = [
        { allow: "no" },
        { allow: "all", calls: [] },
        { allow: "x" },
        {},
        { calls: ["0", "1", "2", "3"] },
        { calls: [] },
        { allow: ["all"], calls: ["0"] },
        ...["", " ", "0x1", "-0", "1e0", "4"].map((place) => ({ allow: "all", calls: [place] })),
      ];
      for (const content of refusals) {
        const { isError, forms } = await call(() => content);
        assert.deepEqual([isError, forms.length], [true, 1], JSON.stringify(content));
      }
      assert.equal((await shop.writes()).length, before);
    });
    await t.step("any other call is asked about by itself", async () => {
      const before = (await shop.writes()).length;
      const command = "const made = shop.journal().length\nshop.refund(id=99)\n" +
        "if (shop.journal().length > made) shop.refund(id=100)\n1";
      const { forms, isError } = await call(
        (count) => count === 1 ? { allow: "all" } : { allow: "call" },
        command,
      );
      assert.equal(isError, false);
      assert.equal(forms.length, 2);
      assert.match(String(forms[1]?.message), /^Allow a call of shop\.refund.*\n {2}\| "id": 100/);
      assert.equal((await shop.writes()).length, before + 2);
    });
    await t.step("a program that asks nothing is not asked about", async () => {
      const before = (await shop.writes()).length;
      const { forms, isError } = await call(() => undefined, "shop.note(text='free')");
      assert.deepEqual([forms.length, isError], [0, false]);
      assert.equal((await shop.writes()).length, before + 1);
    });
    await t.step("a program that fails is asked about as far as it came", async () => {
      const { forms } = await call(() => undefined, "shop.refund(id=1)\nthrow new Error('Oh')");
      assert.match(String(forms[0]?.message), /The program failed while it was planned/);
    });
    await t.step("what depends on a stand-in is marked", async () => {
      const command = "if (shop.refund(id=1).ok) shop.refund(id=2)";
      const { forms } = await call((count) => count === 1 ? { allow: "all" } : undefined, command);
      assert.match(String(forms[0]?.message), /Later calls may depend on results/);
      assert.deepEqual(forms.map(({ message }) => message.split("\n")[0]), [
        "Allow this call?",
        "Allow a call of shop.refund (line 1)?",
      ]);
    });
  });
}

Deno.test("many calls with long arguments are one question, before the first of them", async (t) => {
  await using shop = await openShop({ security: { approve: "plan", ask: ["shop.note"] } });
  const call = async (count: number, length: number) => {
    const { client, forms } = answering("modern", () => ({ allow: "all" }));
    await using _connection = await overHttp(shop.gateway, client);
    const command =
      `for (let i = 0; i < ${count}; i++) shop.note(text=i + "z".repeat(${length}))\n1`;
    const result = await client.callTool({ name: "run", arguments: { command } });
    return { forms, text: textOf(result), isError: result.isError === true };
  };
  for (const [count, length] of [[31, 200], [600, 10]] as const) {
    await t.step(`${count} of ${length} characters`, async () => {
      const before = (await shop.writes()).length;
      const { forms, text, isError } = await call(count, length);
      assert.equal(isError, false, text);
      assert.equal(forms.length, 1);
      assert.match(String(forms[0]?.message), new RegExp(`^Allow these ${count} calls\\?\n`));
      assert.ok(forms[0]?.message.includes(`"text": "${count - 1}zzz`));
      assert.equal((await shop.writes()).length, before + count);
    });
  }
  await t.step("more than a question can show", async () => {
    const before = (await shop.writes()).length;
    const { forms, text, isError } = await call(800, 600);
    assert.deepEqual([forms.length, isError], [0, true]);
    assert.match(text, /more than one question can show: do less in one run/);
    assert.equal((await shop.writes()).length, before);
  });
});

Deno.test("a client that leaves while its plan waits has cancelled its run", async (t) => {
  await using shop = await open();
  const { gateway } = shop;
  const browser = await openSession(gateway);
  const command = "shop.refund(id=1)";
  /** Run that waits for an answer. */
  const waiting = async (): Promise<string> => {
    for (;;) {
      const [question] = await (await gateway.fetch("/questions")).json();
      if (question) return question.run;
      await delay(20);
    }
  };
  const ended = async (run: string) => {
    for (;;) {
      const page = await (await browser.fetch(`/runs/${run}`)).text();
      if (!page.includes("It is still running")) return page;
      await delay(20);
    }
  };
  await t.step("over MCP", async () => {
    await using connection = await overHttp(gateway, newClient("legacy"));
    const leaving = new AbortController();
    const call = { name: "run", arguments: { command } };
    const left = assert.rejects(connection.client.callTool(call, { signal: leaving.signal }));
    const run = await waiting();
    leaving.abort();
    await left;
    assert.match(await ended(run), /The run was cancelled before it began/);
  });
  await t.step("over HTTP", async () => {
    const accept = { accept: "application/x-ndjson" };
    const response = await gateway.post("/run", { command, wait: true }, accept);
    const run = await waiting();
    await response.body?.cancel();
    assert.match(await ended(run), /The run was cancelled before it began/);
  });
  assert.deepEqual(await (await gateway.fetch("/questions")).json(), []);
});

Deno.test("a client that knows no choice of several allows all or none", async () => {
  await using shop = await open();
  const client = newClient("legacy", { capabilities: { elicitation: { form: {} } } });
  let forms = 0;
  client.setRequestHandler("elicitation/create", ({ params }) => {
    forms++;
    const { properties } = (params as unknown as Form).requestedSchema;
    if (properties.calls) throw new Error("Unknown kind of field");
    return { action: "accept", content: { allow: "all" } };
  });
  await using _connection = await overHttp(shop.gateway, client);
  const result = await client.callTool({ name: "run", arguments: { command: LOOP } });
  assert.deepEqual([forms, result.isError ?? false], [2, false], textOf(result));
});

Deno.test("the person behind an MCP client is told the reason of a rule", async () => {
  const rules = [{ tool: "shop.note", then: "ask", because: "Notes are read by all" }];
  for (const approve of ["call", "plan"]) {
    await using shop = await openShop({ security: { ask: [], rules, approve } });
    const { client, forms } = answering("modern", () => ({ allow: "all" }));
    await using _connection = await overHttp(shop.gateway, client);
    const command = "shop.refund(id=1)\nshop.note(text='a')";
    await client.callTool({ name: "run", arguments: { command } });
    const [message = ""] = forms.map(({ message }) => message);
    assert.match(message, /\| "text": "a"\n *Reason: .*Notes are read by all/);
    assert.equal(message.match(/Reason/g)?.length, 1);
  }
});

for (const era of ERAS) {
  Deno.test(`a form that a ${era} client fills in by itself allows nothing`, async () => {
    await using shop = await open();
    const client = newClient(era, {
      capabilities: { elicitation: { form: { applyDefaults: true } } },
    });
    const defaults: unknown[] = [];
    client.setRequestHandler("elicitation/create", ({ params }) => {
      const { properties } = (params as unknown as Form).requestedSchema;
      defaults.push(...Object.values(properties).filter((property) => "default" in property));
      return { action: "accept", content: {} };
    });
    await using _connection = await overHttp(shop.gateway, client);
    const result = await client.callTool({ name: "run", arguments: { command: LOOP } });
    assert.deepEqual([result.isError, defaults], [true, []], textOf(result));
    assert.deepEqual(await shop.writes(), []);
  });
}

Deno.test("a plan is asked about through toolscript mcp, too", async () => {
  await using shop = await open();
  const { client, forms } = answering("legacy", () => ({ allow: "all" }));
  await using _connection = await overStdio(shop.gateway, client);
  const result = await client.callTool({ name: "run", arguments: { command: LOOP } });
  assert.deepEqual([forms.length, result.isError ?? false], [1, false], textOf(result));
});

Deno.test("a plan waits on the page for a client without elicitation", async (t) => {
  await using shop = await open();
  const { gateway } = shop;
  await using connection = await overHttp(gateway, newClient("modern"));
  const call = (command: string) =>
    connection.client.callTool({ name: "run", arguments: { command, format: "json" } });

  await t.step("with its calls", async () => {
    const result = call(LOOP);
    const question = await waiting(gateway);
    assert.deepEqual([question.kind, question.tool, question.uncertain], ["plan", undefined, true]);
    assert.deepEqual(question.calls[1], {
      tool: "shop.refund",
      arguments: { id: 1 },
      line: 5,
      effect: "write",
    });
    for (const body of [{ allow: "call" }, { allow: "all", calls: [4] }]) {
      assert.equal(await answer(gateway, question.id, body), 400);
    }
    assert.equal(await answer(gateway, question.id, { allow: "all", calls: [0, 2] }), 200);
    assert.deepEqual(JSON.parse(textOf(await result)), ["blocked", true, "blocked"]);
  });
  await t.step("or is refused", async () => {
    const before = (await shop.writes()).length;
    const result = call(LOOP);
    assert.equal(await answer(gateway, (await waiting(gateway)).id, { allow: "no" }), 200);
    assert.match(textOf(await result), /declined/);
    assert.equal((await shop.writes()).length, before);
  });
});

Deno.test("a plan that no person answers is refused, with the address", async () => {
  await using shop = await open({ ask_timeout: 0.2 });
  await using connection = await overHttp(shop.gateway, newClient("modern"));
  const result = await connection.client.callTool({ name: "run", arguments: { command: LOOP } });
  assert.ok(textOf(result).includes(`It can be answered at ${shop.gateway.url}/`), textOf(result));
  assert.deepEqual(await shop.writes(), []);
});

Deno.test("a client of a stream gets a plan as an event", async () => {
  await using shop = await open();
  const { gateway } = shop;
  for await (const event of gateway.stream("", { script: undefined, command: LOOP })) {
    if (event.type === "plan") {
      assert.equal((event.calls as unknown[]).length, 4);
      const response = await gateway.post(`/confirm/${event.id}`, { allow: "all" });
      assert.equal(response.status, 200, await response.text());
    }
    if (event.type === "result") assert.deepEqual(event.value, [true, true, true]);
  }
  assert.equal((await shop.writes()).length, 4);
});

Deno.test("where no person can be asked, calls are confirmed as without a plan", async () => {
  await using shop = await open();
  const response = await shop.gateway.post("/run", { command: "shop.refund(id=1)" });
  const { error } = await response.json();
  assert.deepEqual([response.status, error.code], [409, "needs_confirmation"]);
  const { confirm } = error.details;
  const again = await shop.gateway.post("/run", { command: "shop.refund(id=1)", confirm });
  assert.equal((await again.json()).ok, true);
});

interface Waiting {
  readonly id: string;
  readonly calls: readonly unknown[];
  readonly [key: string]: unknown;
}

async function waiting(gateway: TestGateway): Promise<Waiting> {
  for (;;) {
    const [question] = await (await gateway.fetch("/questions")).json();
    if (question) return question;
    await delay(10);
  }
}

async function answer(gateway: TestGateway, id: string, body: unknown): Promise<number> {
  const response = await gateway.post(`/questions/${id}`, body);
  await response.body?.cancel();
  return response.status;
}
