/** OT: the pack through which an agent finds its way, through `POST /run`. */

import assert from "node:assert/strict";
import { join } from "node:path";
import type { RunReply } from "#runtime";
import { openGateway, type TestGateway } from "../support/gateway.ts";
import { pinnedCommand } from "../support/servers.ts";

interface Row {
  readonly name: string;
  readonly command: string;
  readonly text?: string | RegExp;
  readonly value?: unknown;
  /** A part of the reply's value. */
  readonly holds?: (value: never) => void;
  readonly code?: string;
}

const INLINE = 2_000;

async function openLookups(): Promise<TestGateway> {
  const gateway = await openGateway({
    servers: {
      everything: pinnedCommand("everything"),
      gone: { command: "/nowhere/to/be/found" },
      off: { command: "/nowhere/to/be/found", enabled: false },
    },
    alias: { say: "everything.echo", sum: "everything.get_sum" },
    snippets: {
      research: {
        description: "Says what was found on a topic",
        params: { topic: { description: "What about" }, count: { default: 5 } },
        body: 'x = everything.echo(message="{{ topic }}")\nx + "{{ count }}"\n',
      },
    },
    prompts: { packs: { everything: "Only for trying things out." } },
    output: { max_inline_size: INLINE, preview_lines: 3 },
  });
  await gateway.ready();
  return gateway;
}

async function send(
  gateway: TestGateway,
  command: string,
  options: Record<string, unknown> = {},
): Promise<RunReply> {
  return await (await gateway.post("/run", { command, ...options })).json();
}

function holds(reply: RunReply, row: Row): void {
  if (row.code === undefined) assert.ok(reply.ok, reply.text);
  assert.equal(reply.error?.code, row.code, reply.text);
  if (typeof row.text === "string") assert.equal(reply.text, row.text);
  if (row.text instanceof RegExp) assert.match(reply.text, row.text);
  if ("value" in row) assert.deepEqual(reply.value, row.value);
  row.holds?.(reply.value as never);
}

const ROWS: readonly Row[] = [
  {
    name: "OT-01 every tool, a line each",
    command: "ot.tools()",
    holds(value: { name: string; description: string }[]) {
      const names = value.map(({ name }) => name);
      assert.ok(names.includes("ot.tools") && names.includes("everything.echo"), String(names));
      assert.deepEqual(Object.keys(value[0] ?? {}), ["name", "description"]);
    },
  },
  {
    name: "OT-02 a part of the name, whatever the case",
    command: 'ot.tools(pattern="ECH", info="list")',
    value: ["everything.echo"],
  },
  {
    name: "OT-02 one pack's",
    command: 'ot.tools(pack="ot", info="list").length > 2',
    value: true,
  },
  {
    name: "OT-03 names alone",
    command: 'ot.tools(pattern="everything.echo", info="list")',
    text: "[everything.echo]",
  },
  {
    name: "OT-04 OT-22 a list of objects is a block of flow items",
    command: 'ot.tools(pattern="everything.echo", info="min")',
    text: /^- \{name: everything\.echo, description: [^\n]*\}$/,
  },
  {
    name: "OT-05 OT-06 OT-07 everything about a tool",
    command: 'ot.tools(pattern="everything.echo", info="full")',
    holds([tool]: Record<string, unknown>[]) {
      assert.equal(tool?.signature, "everything.echo(message: string)");
      assert.equal(tool?.source, "proxy:everything");
      assert.deepEqual(tool?.args, ["message: Message to echo"]);
      assert.equal(tool?.example, 'everything.echo(message="...")');
    },
  },
  {
    name: "OT-05 a tool of this process, with what it returns",
    command: 'ot.tools(pattern="ot.version", info="full")',
    holds([tool]: Record<string, unknown>[]) {
      assert.equal(tool?.source, "local");
      assert.equal(tool?.returns, "string");
    },
  },
  {
    name: "OT-06 a name that code cannot have is given as code spells it",
    command: 'ot.tools(pattern="get-sum", info="full").map(t => [t.name, t.signature])',
    value: [["everything.getSum", "everything.getSum(a: number, b: number)"]],
  },
  {
    name: "OT-01 an unknown level",
    command: 'ot.tools(info="all")',
    code: "type_error",
    text: /"list" \| "min" \| "full"/,
  },
  {
    name: "OT-01 an unknown level that only dispatch sees",
    command: 'const args: any = {info: "all"}\not.tools(args)',
    code: "tool_error",
    text: /info/,
  },
  {
    name: "OT-25 OT-28 every pack",
    command: "ot.packs()",
    holds(value: { name: string; source: string; tool_count: number }[]) {
      assert.deepEqual(value.map(({ name, source }) => [name, source]), [
        ["ot", "local"],
        ["snippets", "local"],
        ["everything", "proxy"],
        ["gone", "proxy"],
        ["off", "proxy"],
      ]);
      assert.ok(value.every(({ tool_count }) => Number.isInteger(tool_count)));
    },
  },
  {
    name: "OT-26 OT-27 a part of the name",
    command: 'ot.packs(pattern="VERY", info="list")',
    text: "[everything]",
  },
  {
    name: "OT-29 OT-30 OT-31 everything about a pack",
    command: 'ot.packs(pattern="everything", info="full")',
    holds([pack]: Record<string, unknown>[]) {
      assert.equal(pack?.name, "everything");
      assert.equal(pack?.source, "proxy");
      assert.equal(pack?.instructions, "Only for trying things out.");
      const tools = pack?.tools as { name: string; description: string }[];
      assert.ok(tools.some(({ name, description }) => name === "everything.echo" && description));
    },
  },
  {
    name: "OT-32 OT-35 every alias",
    command: "ot.aliases()",
    value: ["say -> everything.echo", "sum -> everything.get_sum"],
  },
  {
    name: "OT-33 OT-34 a part of what it stands for",
    command: 'ot.aliases(pattern="GET_SUM", info="list")',
    text: "[sum]",
  },
  {
    name: "OT-36 everything about aliases",
    command: 'ot.aliases(pattern="say", info="full")',
    text: "- {name: say, target: everything.echo}",
  },
  {
    name: "OT-37 OT-40 every snippet",
    command: "ot.snippets()",
    text: "{research: Says what was found on a topic}",
  },
  { name: "OT-38 none", command: 'ot.snippets(pattern="pkg", info="list")', text: "[]" },
  {
    name: "OT-38 OT-39 a part of the description",
    command: 'ot.snippets(pattern="FOUND on", info="list")',
    text: "[research]",
  },
  {
    name: "OT-41 OT-42 everything about a snippet, with what its example stands for",
    command: 'ot.snippets(pattern="research", info="full")',
    text:
      /name: research\n[^]*topic: \{description: What about\}\n[^]*body: \|\n[^]*\{\{ topic \}\}[^]*\$research topic=example[^]*message="example"/,
  },
  {
    name: "OT-43 without a query",
    command: "ot.help()",
    text: /ot\.tools[^]*ot\.packs[^]*list: [^]*examples: [^]*tips: /,
  },
  {
    name: "OT-44 OT-52 OT-53 a tool",
    command: 'ot.help(query="everything.echo", info="full")',
    holds(value: Record<string, unknown>) {
      assert.equal(value.name, "everything.echo");
      assert.equal(value.signature, "everything.echo(message: string)");
      assert.equal(value.docs, "https://onetool.beycom.online/reference/tools/everything/");
    },
  },
  {
    name: "OT-45 a pack",
    command: 'ot.help(query="everything")',
    text: /name: everything[^]*Only for trying things out[^]*everything\.echo[^]*docs: https:/,
  },
  { name: "OT-46 a snippet", command: 'ot.help(query="$research")', text: /name: research\n/ },
  {
    name: "OT-47 an alias",
    command: 'ot.help(query="say")',
    text: /name: say, target: everything\.echo, usage: /,
  },
  {
    name: "OT-48 OT-51 words, grouped by kind",
    command: 'ot.help(query="resource link")',
    holds(value: { tools: { name: string; description: string }[] }) {
      assert.equal(value.tools[0]?.name, "everything.getResourceLinks");
      assert.deepEqual(Object.keys(value.tools[0] ?? {}), ["name", "description"]);
    },
  },
  {
    name: "OT-49 OT-50 a typo",
    command: 'ot.help(query="evrything", info="list")',
    holds(value: { packs: string[] }) {
      assert.equal(value.packs[0], "everything");
    },
  },
  {
    name: "OT-54 nothing like it",
    command: 'ot.help(query="xyznonexistent")',
    text: /^No matches for "xyznonexistent": .*ot\.tools\(\) or ot\.packs\(\)$/,
  },
  {
    name: "OT-08 the configuration",
    command: "ot.config()",
    value: {
      aliases: { say: "everything.echo", sum: "everything.get_sum" },
      snippets: { research: { description: "Says what was found on a topic" } },
      servers: ["everything", "gone", "off"],
    },
  },
  {
    name: "OT-10 OT-11 the state of every part",
    command: "ot.health()",
    text: /^version: [^]*\nproxy: \{status: degraded, server_count: 3, servers: \{/,
    holds(value: { proxy: { servers: unknown } }) {
      assert.deepEqual(value.proxy.servers, {
        everything: "connected",
        gone: "disconnected",
        off: "disabled",
      });
    },
  },
  { name: "OT-66 the version", command: "ot.version()", text: /^\d+\.\d+\.\d+$/ },
  {
    name: "OT-22 composed it is an ordinary value",
    command: '({tools: ot.tools(pattern="everything.echo", info="list")})',
    text: '{"tools":["everything.echo"]}',
  },
  {
    name: "OT-22 in the format that was asked for",
    command: '__format__ = "json"\not.tools(pattern="everything.echo", info="list")',
    text: '["everything.echo"]',
  },
  {
    name: "OT-59 an unknown handle",
    command: 'ot.result(handle="nonexistent")',
    code: "tool_error",
    text: /Cannot read the result "nonexistent": [^]*not? .*found/,
  },
  {
    name: "OT-59 a handle that is a path",
    command: 'ot.result(handle="../../../etc/passwd")',
    code: "tool_error",
    text: /no result of that handle was found/,
  },
];

Deno.test("OT-01 to OT-66 an agent finds its way by commands", async (t) => {
  await using gateway = await openLookups();
  for (const row of ROWS) {
    await t.step(row.name, async () => holds(await send(gateway, row.command), row));
  }
});

interface Page {
  readonly lines: string[];
  readonly total_lines: number;
  readonly returned: number;
  readonly offset: number;
  readonly has_more: boolean;
  readonly cut?: boolean;
}

async function store(gateway: TestGateway, command: string, options = {}): Promise<string> {
  const { text } = await send(gateway, command, options);
  const handle = /"handle":"(\w+)"/.exec(text)?.[1];
  assert.ok(handle, text);
  return handle;
}

async function page(gateway: TestGateway, args: string): Promise<Page> {
  const reply = await send(gateway, `ot.result(${args})`);
  assert.ok(reply.ok, reply.text);
  assert.ok(reply.text.length <= INLINE + 300, `${reply.text.length}`);
  return reply.value as unknown as Page;
}

Deno.test("OT-09 OT-10 with nothing configured", async () => {
  await using gateway = await openGateway();
  const { text } = await send(gateway, "ot.config()");
  assert.equal(text, "{aliases: {}, snippets: {}, servers: []}");
  const { value } = await send(gateway, "ot.health().proxy");
  assert.deepEqual(value, { status: "ok", server_count: 0, servers: {} });
});

Deno.test("OT-55 to OT-64 a stored result is read page by page", async (t) => {
  await using gateway = await openGateway({ output: { max_inline_size: INLINE } });
  const lines = Array.from({ length: 500 }, (_, at) => at % 50 === 0 ? `error ${at}` : `l${at}`);
  const handle = await store(gateway, `${JSON.stringify(lines)}.join("\\n")`);

  await t.step("OT-55 OT-61 OT-62 the first hundred lines", async () => {
    const { lines: got, ...rest } = await page(gateway, `handle="${handle}"`);
    assert.deepEqual(got, lines.slice(0, 100));
    assert.deepEqual(rest, { total_lines: 500, returned: 100, offset: 1, has_more: true });
  });
  await t.step("OT-56 from an offset", async () => {
    const got = await page(gateway, `handle="${handle}", offset=101, limit=50`);
    assert.deepEqual(got.lines, lines.slice(100, 150));
    const last = await page(gateway, `handle="${handle}", offset=451, limit=50`);
    assert.deepEqual([last.returned, last.has_more], [50, false]);
    const beyond = await page(gateway, `handle="${handle}", offset=501`);
    assert.deepEqual([beyond.lines, beyond.has_more], [[], false]);
  });
  await t.step("OT-56 the command of the summary", async () => {
    const got = await page(gateway, `handle='${handle}', offset=1, limit=50`);
    assert.equal(got.returned, 50);
  });
  await t.step("OT-57 only lines that match", async () => {
    const got = await page(gateway, `handle="${handle}", search="err.r", offset=2, limit=3`);
    assert.deepEqual(got.lines, ["error 50", "error 100", "error 150"]);
    assert.deepEqual([got.has_more, got.total_lines], [true, 500]);
  });
  await t.step("OT-57 a broken pattern", async () => {
    const { error } = await send(gateway, `ot.result(handle="${handle}", search="(")`);
    assert.match(String(error?.message), /^Cannot search for "\(": .*fuzzy=true$/);
  });
  await t.step("OT-57 a catastrophic pattern is given up, and others go on", async () => {
    const hostile = await store(gateway, `"${"a".repeat(40)}!\\n".repeat(100)`);
    const slow = send(gateway, `ot.result(handle="${hostile}", search="^(a+)+$")`);
    assert.equal((await send(gateway, "1 + 1")).text, "2");
    assert.match(String((await slow).error?.message), /took longer than/);
  });
  await t.step("OT-58 lines like the search, best first", async () => {
    const text = '["nothing here\\n".repeat(300), "my confguration", "configuration"].join("\\n")';
    const like = await store(gateway, text);
    const got = await page(gateway, `handle="${like}", search="configuration", fuzzy=True`);
    assert.deepEqual(got.lines, ["configuration", "my confguration"]);
  });
  await t.step("OT-60 an expired handle", async () => {
    const old = await store(gateway, '"x\\n".repeat(2000)');
    const meta = join(gateway.project, ".onetool/tmp", `result-${old}.meta.json`);
    const about = JSON.parse(await Deno.readTextFile(meta));
    about.created_at = "2020-01-01T00:00:00.000Z";
    await Deno.writeTextFile(meta, JSON.stringify(about));
    const { text } = await send(gateway, `ot.result(handle="${old}")`);
    assert.match(text, new RegExp(`Cannot read the result "${old}": it has expired`));
  });
  await t.step("OT-63 OT-64 offset and limit count from one", async () => {
    const message = async (args: string) =>
      (await send(gateway, `ot.result(handle="${handle}", ${args})`)).error?.message;
    assert.equal(await message("offset=0"), "offset must be >= 1 (1-indexed), got 0");
    assert.equal(await message("offset=-3"), "offset must be >= 1 (1-indexed), got -3");
    assert.equal(await message("limit=0"), "limit must be >= 1, got 0");
  });
  await t.step("OT-61 a page that does not fit has fewer lines, and is not stored", async () => {
    const wide = await store(gateway, '("\\"w\'\\\\ ".repeat(50) + "\\n").repeat(100)');
    const before = [...Deno.readDirSync(join(gateway.project, ".onetool/tmp"))].length;
    const got = await page(gateway, `handle="${wide}", limit=50`);
    assert.ok(got.returned >= 1 && got.returned < 50 && got.has_more);
    assert.equal(got.returned, got.lines.length);
    assert.equal([...Deno.readDirSync(join(gateway.project, ".onetool/tmp"))].length, before);
  });
  await t.step("OT-61 a line larger than a page is cut", async () => {
    const long = await store(gateway, '"é".repeat(9000)');
    const got = await page(gateway, `handle="${long}"`);
    assert.deepEqual([got.cut, got.returned, got.has_more], [true, 1, false]);
  });
  await t.step("OT-61 what was sanitised stays so", async () => {
    const foreign = '"$wsq q=1\\n".repeat(1000)';
    const { text } = await send(gateway, foreign, { sanitize: true });
    const handle = /"handle":"(\w+)"/.exec(text)?.[1];
    const got = await page(gateway, `handle="${handle}", limit=2`);
    assert.match(got.lines.join("\n"), /^<external-content-\w+ [^]*\n\\\$wsq q=1\n\\\$wsq/);
    assert.match(String(got.lines.at(-1)), /^<\/external-content-/);
  });
});
