/** OT: the pack through which an agent finds its way, through `POST /run`. */

import assert from "node:assert/strict";
import { type CommandRow, send, stepThrough } from "../support/commands.ts";
import { openGateway } from "../support/gateway.ts";
import { openLookups } from "./lookups.ts";

const STATE: CommandRow = {
  name: "OT-10 OT-11 the state of every part",
  command: "ot.health()",
  text: /^version: [^]*\nproxy: \{status: degraded, server_count: 3, servers: \{/,
  holds(value: Record<string, unknown> & { proxy: { servers: unknown } }) {
    assert.equal(value.deno, Deno.version.deno);
    assert.match(String(value.typescript), /^\d+\.\d+/);
    assert.deepEqual(value.workers, { status: "ok", worker_count: 0, workers: {} });
    const { walls } = value.sandbox as { walls: readonly string[] };
    assert.ok(walls.includes("deno"));
    assert.deepEqual(value.proxy.servers, {
      everything: "connected",
      gone: "disconnected",
      off: "disabled",
    });
  },
};

const ROWS: readonly CommandRow[] = [
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
    name: "OT-06 a name that is no identifier is spelled as in code",
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
      const first = value.slice(0, 5); // those that come with Toolscript follow
      assert.deepEqual(first.map(({ name, source }) => [name, source]), [
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
    text: `- name: research
  description: Says what was found on a topic
  params:
    topic: {description: What about}
    count: {default: 5}
  body: |
    x = everything.echo(message="{{ topic }}")
    x + "{{ count }}"
  # Example with defaults:
  example: $research topic=example
  # Expands to:
  expands_to: |
    x = everything.echo(message="example")
    x + "5"`,
    holds([snippet]: Record<string, unknown>[]) {
      assert.equal(snippet?.example, "$research topic=example");
    },
  },
  {
    name: "OT-43 without a query",
    command: "ot.help()",
    text: /ot\.help\("[^]*ot\.tools[^]*ot\.packs[^]*## info[^]*list: [^]*## Tips[^]*Packs: ot, /,
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
];

Deno.test("OT-01 to OT-66 an agent finds its way by commands", async (t) => {
  await using gateway = await openLookups();
  await stepThrough(t, gateway, ROWS);
});

Deno.test("OT-10 OT-11 the state of every part, before a look-up tries a server again", async (t) => {
  await using gateway = await openLookups();
  await stepThrough(t, gateway, [STATE]);
});

Deno.test("OT-10 a `direct` entry without a matching tool is reported", async () => {
  await using gateway = await openGateway({ direct: ["ot", "ot.serach", "snipets"] });
  const { value } = await send(gateway, "ot.health().direct");
  const { status, problems } = value as { status: string; problems: string[] };
  assert.equal(status, "degraded");
  assert.match(String(problems[0]), /^Cannot offer "ot\.serach" directly: no such tool in "ot": /);
  assert.match(String(problems[1]), /^Cannot offer "snipets" directly: no such server or pack: /);
});

Deno.test("OT-09 OT-10 with nothing configured", async () => {
  await using gateway = await openGateway();
  const { text } = await send(gateway, "ot.config()");
  assert.equal(text, "{aliases: {}, snippets: {}, servers: []}");
  const { value } = await send(gateway, "ot.health().proxy");
  assert.deepEqual(value, { status: "ok", server_count: 0, servers: {} });
});
