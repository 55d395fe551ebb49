/** Calls that a person left out of a plan are not made by way of snippets and packs either. */

import assert from "node:assert/strict";
import { events } from "../support/gateway.ts";
import { openFolders } from "../support/packs.ts";
import { openShop, type Shop } from "../support/shop.ts";
import { newClient, overHttp, textOf } from "../gateway/mcp/clients.ts";
import { caught } from "../cli/io.ts";

const CONFIG = {
  alias: { jot: "shop.note", pay: "snippets.paid" },
  snippets: {
    save: { body: "shop.note(text='no')" },
    write: { params: { text: {} }, body: "shop.note(text={{ text }})" },
    twice: { body: "snippets.save()" },
    thrice: { body: "snippets.twice()" },
    short: { body: "jot(text='no')" },
    packed: { body: "desk.save()" },
    paid: { body: "shop.refund(id=1)\nshop.note(text='no')" },
    caught: { body: "try { shop.note(text='no') } catch { }\n1" },
  },
};
const DESK = `import { tools } from "toolscript";
export const save = async (): Promise<unknown> => await tools.shop.note({ text: "no" });
export const run = async (): Promise<unknown> => await tools.snippets.save({});
export const runTwice = async (): Promise<unknown> => await tools.snippets.packed({});
`;

async function open(security: Record<string, unknown> = {}) {
  const folders = await openFolders({ project: { "desk/desk_tools.ts": DESK } });
  const shop = await openShop({ security: { approve: "plan", ...security }, ...CONFIG }, folders);
  return {
    ...shop,
    async [Symbol.asyncDispose]() {
      await shop[Symbol.asyncDispose]();
      await folders[Symbol.asyncDispose]();
    },
  };
}

interface Call {
  readonly tool: string;
  readonly arguments: { readonly text?: string };
}

type Choose = (call: Call, at: number) => boolean;

/** Allows all calls but those of the text `no`. */
const isAllowed: Choose = ({ arguments: args }) => args.text !== "no";

/** Places of the calls that are allowed. */
function placesOf(calls: readonly Call[], choose: Choose): number[] {
  return [...calls.keys()].filter((at) => choose(calls[at] as Call, at));
}

/** Runs a command over a stream with the answer to its plan, and returns the texts of the notes. */
async function notesOf(shop: Shop, command: string, choose = isAllowed): Promise<string[]> {
  const before = (await shop.writes()).length;
  const accept = { accept: "application/x-ndjson" };
  let plans = 0;
  for await (const event of events(await shop.gateway.post("/run", { command }, accept))) {
    assert.notEqual(event.type, "confirm", JSON.stringify(event));
    if (event.type !== "plan") continue;
    plans++;
    const calls = placesOf(event.calls as readonly Call[], choose);
    const answer = await shop.gateway.post(`/confirm/${event.id}`, { allow: "all", calls });
    assert.equal(answer.status, 200, await answer.text());
  }
  assert.equal(plans, 1);
  return notesAmong((await shop.writes()).slice(before));
}

function notesAmong(writes: readonly string[]): string[] {
  return writes.filter((line) => line.startsWith("note ")).map((line) =>
    line.slice("note ".length)
  );
}

const NO = '{"text":"no"}';
const YES = '{"text":"yes"}';

Deno.test("a call that was left out of a plan is not made by a snippet or a pack", async (t) => {
  await using shop = await open();
  const rows: Readonly<Record<string, string>> = {
    "the program itself": "shop.note(text='no')",
    "a snippet": "snippets.save()",
    "a snippet with a parameter": "snippets.write(text='no')",
    "a snippet in a snippet": "snippets.twice()",
    "a snippet in two": "snippets.thrice()",
    "a snippet with an alias": "snippets.short()",
    "a snippet that hides the refusal": "snippets.caught()",
    "a snippet that calls a pack": "snippets.packed()",
    "a pack": "desk.save()",
    "a pack that calls a snippet": "desk.run()",
    "a pack that calls a snippet that calls it": "desk.runTwice()",
    "a computed name": "await (snippets as any)[['sa', 've'].join('')]()",
    "many at once": "await Promise.all([1, 2].map(() => snippets.save({})))",
  };
  for (const [name, call] of Object.entries(rows)) {
    await t.step(name, async () => {
      const notes = await notesOf(
        shop,
        `try { shop.note(text='no') } catch { }\ntry { ${call} } catch { }\n` +
          "shop.note(text='yes')\nshop.refund(id=2)",
      );
      assert.deepEqual(notes, [YES]);
    });
  }
  await t.step("a snippet alone", async () => {
    assert.deepEqual(await notesOf(shop, "try { snippets.paid() } catch { }"), []);
  });
  await t.step("an alias of a snippet with a call that was approved", async () => {
    assert.deepEqual(await notesOf(shop, "try { pay() } catch { }\nshop.note(text='yes')"), [YES]);
  });
});

Deno.test("an approval counts once, in the program and in what it calls", async (t) => {
  await using shop = await open();
  const program = (...calls: string[]) =>
    `${calls.map((call) => `try { ${call} } catch { }`).join("\n")}\nshop.refund(id=2)`;
  /** Allows the refund, and the first notes. */
  const first = (count: number): Choose => (call, at) => call.tool === "shop.refund" || at < count;
  const note = "shop.note(text='no')";
  const rows: readonly (readonly [name: string, calls: string[], allowed: number])[] = [
    ["the program first", [note, "snippets.save()"], 1],
    ["a snippet first", ["snippets.save()", note], 1],
    ["two snippets", ["snippets.save()", "snippets.thrice()"], 1],
    ["one snippet three times", Array(3).fill("snippets.twice()"), 2],
    ["all", [note, "snippets.save()", "snippets.twice()", "desk.run()"], 4],
  ];
  for (const [name, calls, allowed] of rows) {
    await t.step(name, async () => {
      assert.deepEqual(
        await notesOf(shop, program(...calls), first(allowed)),
        Array(allowed).fill(NO),
      );
    });
  }
});

Deno.test("a snippet that was approved by itself makes no call that was left out", async () => {
  await using shop = await open({ ask: ["snippets.twice", "shop.refund"] });
  const command = "try { shop.note(text='no') } catch { }\ntry { snippets.twice() } catch { }";
  assert.deepEqual(await notesOf(shop, command), []);
});

Deno.test("a call that was left out is not made by a snippet, whoever asked", async (t) => {
  await using shop = await open();
  const command = "try { snippets.twice() } catch { }\nshop.refund(id=2)\n'done'";
  await t.step("the form of an MCP client", async () => {
    const client = newClient("modern", { capabilities: { elicitation: { form: {} } } });
    client.setRequestHandler("elicitation/create", () => {
      return { action: "accept", content: { allow: "all", calls: ["1"] } };
    });
    await using _connection = await overHttp(shop.gateway, client);
    assert.match(textOf(await client.callTool({ name: "run", arguments: { command } })), /done/);
  });
  await t.step("a terminal", async () => {
    const { home, project: cwd, url, token } = shop.gateway;
    const env = { TOOLSCRIPT_GATEWAY_URL: url, TOOLSCRIPT_TOKEN: token };
    const { code, stderr } = await caught(["run", command], { home, cwd, env, lines: ["2"] });
    assert.equal(code, 0, stderr);
  });
  await t.step("the page", async () => {
    const reply = shop.gateway.post("/run", { command, wait: true });
    let id = "";
    while (id === "") id = (await (await shop.gateway.fetch("/questions")).json())[0]?.id ?? "";
    const answer = await shop.gateway.post(`/questions/${id}`, { allow: "all", calls: [1] });
    await answer.body?.cancel();
    assert.equal((await (await reply).json()).value, "done");
  });
  assert.deepEqual(await shop.writes(), Array(3).fill('refund {"id":2}'));
});

Deno.test("the plan of a snippet reads after a call that it asks about", async () => {
  await using shop = await openShop({
    snippets: {
      refund: { body: "shop.refund(id=1)\nconst all = shop.list_orders().orders\nall.length" },
      all: {
        body: "await snippets.refund()\nshop.note(text=`${shop.list_orders().orders.length}`)",
      },
    },
  });
  const command = "const count = snippets.refund()\nsnippets.all()\nshop.note(text=`${count}`)";
  const reply = await (await shop.gateway.post("/run", { command, plan: true })).json();
  assert.deepEqual(
    reply.plan?.calls.map(({ tool, arguments: args }: Call) => [tool, args]),
    [
      ["shop.refund", { id: 1 }],
      ["shop.refund", { id: 1 }],
      ["shop.note", { text: "3" }],
      ["shop.note", { text: "3" }],
    ],
    reply.text,
  );
});
