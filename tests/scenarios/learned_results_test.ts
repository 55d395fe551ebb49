/** Types that are learned from results, through a gateway with a real server. */

import assert from "node:assert/strict";
import { join } from "node:path";
import type { JsonValue } from "#base";
import type { RunReply } from "#runtime";
import { ERAS, newClient, overHttp } from "../gateway/mcp/clients.ts";
import { cli } from "../support/cli.ts";
import { send } from "../support/commands.ts";
import { delay, openGateway, type TestGateway } from "../support/gateway.ts";
import { fixture } from "../support/servers.ts";

/** A server whose tools return their argument `result`. */
function shop(tools = "give more declared", more: Record<string, unknown> = {}) {
  const { command, args } = fixture("returns");
  return { command, args: [...args, ...tools.split(" ")], ...more };
}

async function open(
  config: Record<string, unknown> = {},
  at: Partial<Pick<TestGateway, "home" | "project">> = {},
): Promise<TestGateway> {
  const gateway = await openGateway({ servers: { shop: shop() }, ...config }, at);
  await gateway.ready();
  return gateway;
}

/** Calls a tool once for each result, through the API. */
async function teach(gateway: TestGateway, tool: string, ...results: JsonValue[]): Promise<void> {
  for (const result of results) {
    const response = await gateway.post(`/tools/shop__${tool}`, { result });
    assert.equal(response.status, 200, await response.text());
  }
}

async function typesOf(gateway: TestGateway): Promise<string> {
  return await (await gateway.fetch("/runtime/types/shop.ts")).text();
}

/** The types once they match, within a minute. */
async function typesWith(gateway: TestGateway, pattern: RegExp): Promise<string> {
  const deadline = performance.now() + 60_000;
  for (;;) {
    const text = await typesOf(gateway);
    if (pattern.test(text)) return text;
    assert.ok(performance.now() < deadline, `${pattern} within a minute in ${text}`);
    await delay(50);
  }
}

/** Waits until the checker has what so many calls of each tool have taught. */
async function learned(
  gateway: TestGateway,
  calls: Readonly<Record<string, number>>,
  server = "shop",
): Promise<void> {
  const saved = Object.entries(calls)
    .map(([tool, count]) => new RegExp(`"${tool}":\\{"id":"[^"]*","calls":${count}\\b`));
  for (let text = ""; !saved.every((pattern) => pattern.test(text)); await delay(50)) {
    const file = (await savedShapes(gateway)).get(`${server}.json`);
    if (file !== undefined) text = await Deno.readTextFile(file).catch(() => "");
  }
}

function run(gateway: TestGateway, command: string): Promise<RunReply> {
  return send(gateway, command);
}

/** Files of shapes, by name. */
async function savedShapes({ home }: TestGateway): Promise<Map<string, string>> {
  const files = new Map<string, string>();
  const cache = join(home, ".onetool", "cache");
  for await (const { name } of Deno.readDir(cache)) {
    const folder = join(cache, name, "shapes");
    try {
      for await (const entry of Deno.readDir(folder)) {
        if (entry.name.endsWith(".json")) files.set(entry.name, join(folder, entry.name));
      }
    } catch (error) {
      if (!(error instanceof Deno.errors.NotFound)) throw error;
    }
  }
  return files;
}

Deno.test("results teach names and types, never values", async (t) => {
  await using gateway = await open();
  const secret = { name: "hunter2", count: 4711, "ana@hunter2.example": true, rows: [{ id: "a" }] };

  await t.step("a call of a program and one through the API teach", async () => {
    const reply = await run(gateway, `shop.give(result=${JSON.stringify(secret)})`);
    assert.ok(reply.ok, reply.text);
    await typesWith(gateway, /Seen in 1 call \*\//);
    await teach(gateway, "give", ...Array.from({ length: 11 }, () => secret));
    const text = await typesWith(gateway, /Seen in 12 calls \*\//);
    assert.match(text, /export interface GiveResult \{\n {2}name: string;\n {2}count: number;/);
  });

  await t.step("the file is private, and holds no value", async () => {
    await learned(gateway, { give: 12 });
    const files = await savedShapes(gateway);
    assert.deepEqual([...files.keys()], ["shop.json"]);
    const path = files.get("shop.json") ?? "";
    assert.equal(((await Deno.stat(path)).mode ?? 0) & 0o777, 0o600);
    assert.equal(((await Deno.stat(join(path, ".."))).mode ?? 0) & 0o777, 0o700);
    const text = await Deno.readTextFile(path);
    assert.doesNotMatch(text, /hunter2|4711/);
    assert.match(text, /"rows"/);
  });

  await t.step("errors teach nothing, nor does a tool with an output schema", async () => {
    const failed = await gateway.post("/tools/shop__more", { result: { wrong: 1 }, error: true });
    assert.equal(failed.status, 502);
    await failed.body?.cancel();
    await teach(gateway, "declared", { id: "1", unseen: 2 });
    await delay(1_500);
    const text = await typesOf(gateway);
    assert.match(text, /more\(.*\): Promise<any>/);
    assert.match(text, /export interface DeclaredResult \{\n {2}id: string;\n\}/);
    const saved = await Deno.readTextFile((await savedShapes(gateway)).get("shop.json") ?? "");
    assert.doesNotMatch(saved, /wrong|unseen/);
  });

  await t.step("a hostile name is escaped", async () => {
    await teach(gateway, "more", { "*/ export type A = 1; /*": 1, "a\n\u202eb": 2 });
    const text = await typesWith(gateway, /interface MoreResult/);
    assert.match(text, /"\*\/ export type A = 1; \/\*": number;/);
    assert.match(text, /"a\\n\\u202eb": number;/);
  });
});

Deno.test("a tool that an MCP client calls by itself teaches, too", async () => {
  await using gateway = await open({ direct: ["shop"] });
  for (const era of ERAS) {
    await using connected = await overHttp(gateway, newClient(era));
    const call = (args: Record<string, unknown>) =>
      connected.client.callTool({ name: "give", arguments: args });
    await call({ result: { id: 1 } });
    await call({ result: { wrong: 1 }, error: true });
  }
  assert.match(await typesWith(gateway, /Seen in 2 calls/), /\{\n {2}id: number;\n {2}\[/);
});

Deno.test("a program that brings its own gateway learns and knows", async () => {
  await using gateway = await open();
  await gateway.close();
  const folders = { home: gateway.home, cwd: gateway.project };
  const first = await cli(["run", 'shop.give(result={"title": "a"})'], folders);
  assert.equal(first.code, 0, first.stderr);
  const second = await cli(
    ["run", 'shop.give(result={"title": "a"}).title.map((x) => x)'],
    folders,
  );
  assert.equal(second.code, 1);
  assert.match(second.stdout + second.stderr, /in 1 call of shop\.give/);
});

Deno.test("what was learned is there after a restart, until the tool changes", async () => {
  await using first = await open();
  await teach(first, "give", { id: 1 }, { id: 2 });
  await first.close();
  {
    await using again = await open({}, first);
    await teach(again, "give", { id: 3, tag: null });
    assert.match(await typesWith(again, /Seen in 3 calls/), /id: number;/);
  }
  await using changed = await open(
    { servers: { shop: shop(undefined, { env: { FURTHER: "another" } }) } },
    first,
  );
  assert.match(await typesOf(changed), /give\(.*\): Promise<any>/);
  await teach(changed, "give", { other: true });
  assert.match(await typesWith(changed, /Seen in 1 call \*\//), /other: boolean;/);
});

Deno.test("two gateways of a project lose nothing of one another", async () => {
  await using one = await open();
  await using other = await open({}, one);
  for (let round = 0; round < 5; round++) {
    await Promise.all([
      teach(one, "give", { id: 1, one: "a" }, { id: 2, one: "b" }),
      teach(other, "give", { id: 1, other: true }),
      teach(other, "more", [1]),
    ]);
    await delay(round * 250);
  }
  for (const gateway of [one, other]) {
    const text = await typesWith(gateway, /Seen in 15 calls/);
    assert.match(text, /one: string;/);
    assert.match(text, /other: boolean;/);
    assert.match(await typesWith(gateway, /MoreResult = number\[\];/), /Seen in 5 calls/);
  }
});

Deno.test("the check stops only a use that cannot be right", async (t) => {
  await using gateway = await open();
  const list = {
    title: "a",
    n: 1,
    tags: [],
    none: 1,
    id: 1,
    rows: [{ id: 1, by: { name: "x" } }],
    odd: 1,
  };
  await teach(gateway, "give", list, { ...list, odd: "text", rows: [{ id: 2, by: null }] });
  await teach(gateway, "more", { title: "a" });
  await learned(gateway, { give: 2, more: 1 });
  const now = (value: JsonValue) => `const r = shop.give(result=${JSON.stringify(value)})\n`;

  await t.step("`.map` on a text, with the number of calls and the way on", async () => {
    const reply = await run(gateway, `${now(list)}r.title.map((x) => x)`);
    assert.equal(reply.error?.code, "type_error");
    assert.equal(reply.calls, 0);
    assert.match(reply.text, /Property 'map' does not exist on type 'string'/);
    assert.match(reply.text, /in 2 calls of shop\.give/);
    assert.match(reply.error?.message ?? "", /`as any`/);
    const further = await run(gateway, `${now({ title: ["a"] })}(r.title as any).map((x) => x)`);
    assert.deepEqual(further.value, ["a"]);
  });

  await t.step("a use that throws, whatever else is true", async () => {
    const kinds = { title: "a", count: 1, open: true, rows: [{ id: 1 }], by: { name: "x" } };
    const code = `const r = shop.more(result=${JSON.stringify(kinds)})\n`;
    const wrong = [
      "const { title } = r\ntitle.map((x) => x)",
      "r.title?.filter((x) => x)",
      "r.count.toUpperCase()",
      "r.open.x.y",
      "r.rows.items.map((x) => x)",
      "r.title()",
      "for (const x of r.by) x",
      "Array.from([...r.count])",
      "r.rows.map((row) => row.id.trim())",
    ];
    await teach(gateway, "more", kinds);
    await learned(gateway, { more: 2 });
    for (const use of wrong) {
      const reply = await run(gateway, code + use);
      assert.equal(reply.error?.code, "type_error", `${use}: ${reply.text}`);
      assert.match(reply.text, /It was seen so in \d+ calls? of shop\.more/);
      assert.match(reply.text, /Results so far:\nshop\.more → /);
    }
  });

  const right: readonly (readonly [string, JsonValue, string, JsonValue])[] = [
    ["a field that was never missing is missing", {}, "r.title ?? 'none'", "none"],
    ["a place that was never null is null", { none: null }, "r.none === null", true],
    ["a field not seen yet", { new: { deep: [1] } }, "r.new.deep[0]", 1],
    ["an item of a list that was empty", { tags: [{ id: 7 }] }, "r.tags[0].id.toFixed(1)", "7.0"],
    ["several kinds", { odd: ["a"] }, "r.odd.map((x) => x + 1)", ["a1"]],
    ["what `find` may not find", { rows: [{ id: 1 }] }, "r.rows.find((x) => x.id === 1).id", 1],
    ["a test of the kind", { id: "7" }, "typeof r.id === 'string' ? r.id.trim() : r.id", "7"],
    ["a test of the method", { n: 7 }, "r.n.trim ? r.n.trim() : r.n", 7],
    ["one or a list of them", [1], "Array.isArray(r) ? r.length : r.rows.length", 1],
    ["an envelope that may be there", { rows: [1] }, "(r.items ?? r.rows).length", 1],
    ["another type by assignment", { n: 7 }, "r.n = String(r.n); r.n.length", 1],
    ["an interface with more", { n: 7 }, "const x: { n: number; q: string } = r; x.n", 7],
  ];
  for (const [name, result, code, value] of right) {
    await t.step(`${name}: the program runs`, async () => {
      const reply = await run(gateway, `${now(result)}${code}`);
      assert.ok(reply.ok, reply.text);
      assert.deepEqual(reply.value, value);
    });
  }

  await t.step("a mistake of the program's own is found all the same", async () => {
    const code = 'const r = shop.more(result={"title": "b"})\nconst x: number = "text"\n';
    const reply = await run(gateway, `${code}r.title.nope.x + x`);
    assert.equal(reply.error?.code, "type_error");
    assert.equal(reply.error?.diagnostics?.length, 2);
  });
});

Deno.test("the check stops no more where the tools of another pack have come later", async () => {
  await using gateway = await open();
  await teach(gateway, "give", { n: 1, title: "a" });
  await learned(gateway, { give: 1 });
  const late = join(gateway.project, ".onetool", "tools", "late");
  await Deno.mkdir(late, { recursive: true });
  await Deno.writeTextFile(join(late, "late_tools.ts"), "export const two = () => 2;\n");
  const deadline = performance.now() + 60_000;
  while (!(await run(gateway, "late.two()")).ok) {
    assert.ok(performance.now() < deadline, "the pack is taken in");
    await delay(50);
  }
  const right = 'const r = shop.give(result={"n": 7})\nr.n = String(r.n)\nr.n.length';
  const reply = await run(gateway, right);
  assert.ok(reply.ok, reply.text);
  const wrong = await run(gateway, 'shop.give(result={"n": 7}).title.map((x) => x)');
  assert.equal(wrong.error?.code, "type_error");
  assert.match(wrong.text, /It was seen so in \d calls? of shop\.give/);
});

Deno.test("a failed use of a result ends with the results so far", async (t) => {
  const wide = Object.fromEntries(
    Array.from(
      { length: 40 },
      (_, at) => [`some_long_field_name_${"abcdefghij"[at % 10]}${at}`, at % 2 ? "x" : [at]],
    ),
  );
  const names = Array.from({ length: 12 }, (_, at) => `give_${at}`);
  await using gateway = await open({
    servers: { shop: shop(`give declared silent ${names.join(" ")}`) },
  });
  const results = (reply: RunReply) =>
    reply.error?.details.results as { tool: string; shape: string }[];

  await t.step("a TypeError tells of the tools that were called, declared or learned", async () => {
    const reply = await run(
      gateway,
      'const r = shop.give(result={"id": 7, "tag": null})\n' +
        'const d = shop.declared(result={"id": "7"})\nr.nope.x + d.id',
    );
    assert.equal(reply.error?.code, "thrown");
    assert.match(
      reply.text,
      /\n\nResults so far:\nshop\.give → \{ id: number; tag: null \}\nshop\.declared → \{ id: string \}$/,
    );
    assert.deepEqual(results(reply), [
      { tool: "shop.give", shape: "{ id: number; tag: null }" },
      { tool: "shop.declared", shape: "{ id: string }" },
    ]);
  });

  await t.step("an argument that a wrong guess made tells of them, too", async () => {
    const code = 'const r: any = shop.give(result={"id": 7})\n';
    const reply = await run(gateway, `${code}ot.help(query=r.sku ?? 7)`);
    assert.equal(reply.error?.code, "tool_error");
    assert.match(reply.text, /\n\nResults so far:\nshop\.give → \{ id: number; tag\?: null \}$/);
  });

  await t.step("a failed check on a declared result tells of the tools that it names", async () => {
    const reply = await run(gateway, 'shop.declared(result={"id": "7"}).name.x');
    assert.equal(reply.error?.code, "type_error");
    assert.match(reply.text, /Results so far:\nshop\.declared → \{ id: string \}$/);
    assert.deepEqual(results(reply), [{ tool: "shop.declared", shape: "{ id: string }" }]);
  });

  await t.step("at most 800 characters in all", async () => {
    const calls = names.map((name) => `shop.${name}(result=${JSON.stringify(wide)})`).join("\n");
    const reply = await run(gateway, `${calls}\nconst x: any = null\nx.y`);
    const from = reply.text.indexOf("Results so far:");
    assert.ok(from > 0, reply.text);
    assert.ok(reply.text.length - from <= 800, `${reply.text.length - from} characters`);
    assert.equal(results(reply).length, 12);
    assert.match(reply.text, /shop\.give_11 → .*…/);
  });

  await t.step("another error, or a mistake about something else, ends without them", async () => {
    const thrown = await run(gateway, 'shop.give(result={})\nthrow new Error("no")');
    const wrong = await run(gateway, 'shop.give(result={})\nconst n: number = "text"');
    for (const reply of [thrown, wrong]) {
      assert.doesNotMatch(reply.text, /Results so far/);
      assert.equal(results(reply), undefined);
    }
  });
});

Deno.test("a person can switch learning off, and have it forgotten", async (t) => {
  await t.step("`learn: false` at a server, and for all", async () => {
    const config = {
      servers: { shop: shop(undefined, { learn: false }), other: shop() },
    };
    await using gateway = await open(config);
    await teach(gateway, "give", { id: 1 });
    await gateway.post("/tools/other__give", { result: { id: 1 } }).then((it) => it.body?.cancel());
    await learned(gateway, { give: 1 }, "other");
    assert.match(await typesOf(gateway), /give\(.*\): Promise<any>/);
    assert.deepEqual([...(await savedShapes(gateway)).keys()], ["other.json"]);
    await using none = await open({ ...config, types: { learn: false } }, gateway);
    const text = await (await none.fetch("/runtime/types/other.ts")).text();
    assert.match(text, /give\(.*\): Promise<any>/);
  });

  await t.step("`ot.reload()` forgets, in every gateway of the project", async () => {
    await using gateway = await open();
    await using other = await open({}, gateway);
    await teach(gateway, "give", { id: 1 });
    await typesWith(other, /Seen in 1 call/);
    const reply = await run(gateway, "ot.reload()");
    assert.ok(reply.ok, reply.text);
    assert.match(await typesOf(gateway), /give\(.*\): Promise<any>/);
    assert.equal((await savedShapes(gateway)).size, 0);
    await typesWith(other, /give\(.*\): Promise<any>/);
    await teach(gateway, "give", { name: "a" });
    assert.match(await typesWith(gateway, /Seen in 1 call/), /name: string;/);
    await typesWith(other, /name: string;/);
  });

  await t.step("a damaged file, and one of another user's making, teach nothing", async () => {
    await using first = await open();
    await teach(first, "give", { id: 1 });
    await first.close();
    const path = (await savedShapes(first)).get("shop.json") ?? "";
    await Deno.writeTextFile(path, '{"version":1,"tools":{"give":{"id":"');
    {
      await using again = await open({}, first);
      assert.match(await typesOf(again), /give\(.*\): Promise<any>/);
      await teach(again, "give", { id: 1 });
      await typesWith(again, /Seen in 1 call/);
    }
    await Deno.chmod(path, 0o666);
    await using open666 = await open({}, first);
    assert.match(await typesOf(open666), /give\(.*\): Promise<any>/);
  });
});

Deno.test("help, the command line and the statistics know what was learned", async (t) => {
  await using gateway = await open();
  await teach(gateway, "give", { id: 1, tag: "a" }, { id: 2, tag: null }, { id: 3 });
  await typesWith(gateway, /Seen in 3 calls/);

  await t.step("help shows what may be missing or null, marked as seen", async () => {
    const { value } = await run(gateway, 'ot.help("shop.give")');
    assert.match(String(value), /\): \{ id: number; tag\?: string \| null \} \/\* seen \*\//);
    const full = await run(gateway, 'ot.tools(pattern="shop.give", info="full")');
    assert.match(JSON.stringify(full.value), /"returns":"\{ id: number; tag\?: string \| null \}/);
  });

  await t.step("`toolscript types` shows them", async () => {
    const { stdout } = await cli(["types", "--filter", "shop"], {
      home: gateway.home,
      cwd: gateway.project,
      env: { TOOLSCRIPT_GATEWAY_URL: gateway.url, TOOLSCRIPT_TOKEN: gateway.token },
    });
    assert.match(stdout, /\/\*\* Seen in 3 calls \*\//);
    assert.match(stdout, /id: number;/);
  });
});
