/** OT-43 to OT-54: what `ot.help` answers, from servers with schemas of every kind. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { send } from "../support/commands.ts";
import { openGateway, type TestGateway } from "../support/gateway.ts";
import { listingCommand } from "../support/servers.ts";
import { newClient, overHttp } from "../gateway/mcp/clients.ts";

type Tool = Record<string, unknown> & { readonly name: string };

const STATES = ["open", "waiting", "blocked", "review", "testing", "done", "closed", "later", "no"];
const TEXT = { type: "string" };

function object(properties: Record<string, unknown>, required: readonly string[] = []): object {
  return { type: "object", properties, required };
}

const TRACKER: readonly Tool[] = [
  {
    name: "log_work",
    description:
      "Logs hours on an issue. Needs the right to write, e.g. of a member.\nSecond line.",
    inputSchema: object({
      date: { ...TEXT, format: "date" },
      issue: { ...TEXT, description: "Key of the issue" },
      hours: { type: "number", minimum: 0.25, maximum: 24, description: "How long" },
    }, ["issue", "hours"]),
    outputSchema: object({ id: TEXT, total_hours: { type: "number" } }, ["id", "total_hours"]),
  },
  {
    name: "list_issues",
    description: "Lists issues",
    inputSchema: object({
      project: { ...TEXT, examples: ["WEB"] },
      limit: { type: "integer", minimum: 1, maximum: 25, default: 10 },
      state: { enum: Array.from({ length: 40 }, (_, index) => `${STATES[index % 9]}_${index}`) },
      sort: { enum: ["new", "old"], default: "new" },
      since: { anyOf: [{ ...TEXT, format: "date-time" }, { type: "null" }], default: null },
      labels: { type: "array", items: TEXT, maxItems: 5 },
    }, ["project"]),
  },
  { name: "close_issue", description: "Closes an issue", inputSchema: object({ issue: TEXT }) },
  ...Array.from({ length: 12 }, (_, index) => ({
    name: `report_issue_${index}`,
    description: `Reports on issue work, kind ${index}`,
    inputSchema: object({}),
  })),
];
const OFFICE: readonly Tool[] = [{
  name: "send_mail",
  description: "Sends a mail",
  inputSchema: object({ to: TEXT, text: TEXT }, ["to", "text"]),
}];
const HUGE: readonly Tool[] = Array.from({ length: 300 }, (_, index) => ({
  name: `warehouse_${index}`,
  description: "Counts boxes. ".repeat(300),
  inputSchema: object(
    Object.fromEntries(
      Array.from({ length: 90 }, (_, at) => [`argument_number_${at}`, {
        ...TEXT,
        description: `Says ${"much ".repeat(60)}`,
      }]),
    ),
  ),
}));
const EVIL_TEXT =
  "# Owned\n```sh\nrm -rf /\n```\n~~~\n> ## Quoted\n- # Listed\nTitle\n=====\nOther\n---\n" +
  "<h1>Big</h1> \u202eesrever\u202c \u0007bell \u200bhidden";
const EVIL: readonly Tool[] = [{
  name: "gnarl",
  title: EVIL_TEXT,
  description: EVIL_TEXT,
  inputSchema: object({
    "# x\n# y": { ...TEXT, description: EVIL_TEXT, default: EVIL_TEXT },
    "z\u202e": { enum: [EVIL_TEXT, "```", "a"], description: "# heading", pattern: "```\n# no" },
  }, ["z\u202e"]),
  outputSchema: object({ "# f\n```": TEXT }),
}];

async function open(): Promise<TestGateway> {
  const folder = await Deno.makeTempDir({ prefix: "toolscript-lists-" });
  const servers: Record<string, unknown> = {};
  for (
    const [name, tools] of Object.entries({
      tracker: TRACKER,
      office: OFFICE,
      huge: HUGE,
      evil: EVIL,
    })
  ) {
    const file = join(folder, `${name}.json`);
    await Deno.writeTextFile(file, JSON.stringify(tools));
    servers[name] = listingCommand(file);
  }
  const gateway = await openGateway({
    servers,
    alias: { lw: "tracker.log_work" },
    snippets: {
      worked: {
        description: "Logs work on an issue",
        params: { issue: { description: "Which" }, hours: { type: "number", default: 1 } },
        body: 'tracker.log_work(issue="{{ issue }}", hours={{ hours }})',
      },
    },
    prompts: { packs: { tracker: "Issues and hours.\n# Not a heading" } },
    docs: { base_url: "https://docs.example/" },
  });
  await gateway.ready();
  await Deno.remove(folder, { recursive: true });
  return gateway;
}

async function help(gateway: TestGateway, call: string): Promise<string> {
  const { text, value, ok } = await send(gateway, `ot.help(${call})`);
  assert.ok(ok, text);
  assert.equal(typeof value, "string");
  assert.equal(text, value);
  return text;
}

/** The part of a text below one heading. */
function below(text: string, heading: string): string[] {
  const [, part = ""] = `\n${text}`.split(`\n${heading}\n`);
  return part.split(/\n(?=#|Also:)/)[0]?.trimEnd().split("\n") ?? [];
}

const LOG_WORK = "tracker.log_work(issue: string, hours: number, date?: string): " +
  "{ id: string; total_hours: number }";

Deno.test("OT-43 to OT-54 help is text that can be used at once", async (t) => {
  await using gateway = await open();

  await t.step("OT-48 OT-51 a tool whole: heading, sentence, signature, arguments", async () => {
    const text = await help(gateway, 'query="log work on an issue"');
    assert.deepEqual(below(text, "## tracker.log_work"), [
      "Logs hours on an issue.",
      LOG_WORK,
      "- issue: Key of the issue",
      "- hours: 0.25 to 24. How long",
      "- date: format date",
      "Effect: write",
    ]);
    assert.ok(text.length <= 4_000, String(text.length));
  });
  await t.step(
    "OT-48 three whole, up to seven in a line each, then what else matches",
    async () => {
      const text = await help(gateway, '"report issue"');
      assert.equal(text.match(/^## /gm)?.length, 3);
      const also = below(text, "Also:");
      const lines = also.filter((line) => line.startsWith("tracker."));
      assert.equal(lines.length, 7, text);
      assert.match(
        lines.join("\n"),
        /^tracker\.report_issue_\d+: Reports on issue work, kind \d+$/m,
      );
      const other = await help(gateway, '"log work on an issue"');
      assert.match(other, /^Snippet \$worked: Logs work on an issue$/m);
    },
  );
  await t.step("OT-48 what scores under 0.4 of the best is left out", async () => {
    const response = await gateway.fetch("/search?q=send+a+mail&limit=20");
    const { results } = await response.json() as { results: { name: string; score: number }[] };
    const least = (results[0]?.score ?? 0) * 0.4;
    const { value } = await send(gateway, 'ot.help("send a mail", info="list")');
    assert.deepEqual(
      value,
      results.filter(({ score }) => score >= least).map(({ name }) => name),
    );
    assert.ok(results.some(({ score }) => score < least), "something is weak");
  });
  await t.step("several queries, as a list, by position, spread or by name", async () => {
    const list = await help(gateway, 'query=["log work", "send mail"]');
    assert.ok(list.length <= 4_000, String(list.length));
    assert.ok(list.indexOf("## tracker.log_work") < list.indexOf("## office.send_mail"));
    assert.ok(list.startsWith("# log work\n") && list.includes("\n\n# send mail\n"));
    for (
      const call of [
        '"log work", "send mail"',
        '["log work", "send mail"]',
        '...["log work", "send mail"]',
        '{query: ["log work", "send mail"]}',
        'q=["log work", "send mail"]',
      ]
    ) assert.equal(await help(gateway, call), list, call);
    const { value } = await send(gateway, 'ot.help("log work", "send mail", info="list")');
    assert.ok(Array.isArray(value));
    assert.ok(value.includes("tracker.log_work") && value.includes("office.send_mail"));
  });
  await t.step("several queries: a tool is described once", async () => {
    const text = await help(gateway, '"log work", "log work today", "tracker.log_work"');
    const [first = "", second = "", exact = ""] = text.split(/^# .*\n/m).slice(1);
    assert.match(first, /^## tracker.log_work\n[^]*tracker.log_work\(/);
    assert.match(second, /^## tracker.log_work\nAs above\n/);
    assert.match(exact, /^## tracker.log_work\n[^]*tracker.log_work\([^]*Source: /);
    const lines = text.split("\n").filter((line) => /^\w+\.\w+: /.test(line));
    assert.equal(new Set(lines).size, lines.length, text);
  });
  await t.step("of eight queries each has its best tool whole", async () => {
    const words = ["log work", "send mail", "list issues", "find a file", "read a file"];
    const text = await help(gateway, JSON.stringify([...words, "count boxes", "lines", "pets"]));
    const parts = text.split(/^# .*\n/m).slice(1);
    for (const part of parts.slice(0, words.length)) assert.match(part, /^## \w+\.\w+\n/, text);
  });
  await t.step("several queries share the room", async () => {
    const words = Array.from({ length: 20 }, (_, index) => `count boxes ${index}`);
    const text = await help(gateway, JSON.stringify(words));
    assert.ok(text.length <= 4_000, String(text.length));
    for (const query of words) assert.ok(text.includes(`# ${query}\n`), query);
    const many = await send(gateway, `ot.help(${JSON.stringify([...words, "x"])})`);
    assert.equal(many.ok, false);
  });
  await t.step("defaults, ranges, formats and allowed values", async () => {
    const text = await help(gateway, '"list issues"');
    const [sentence, signature = "", ...lines] = below(text, "## tracker.list_issues");
    assert.equal(sentence, "Lists issues");
    assert.ok(
      signature.startsWith("tracker.list_issues(project: string, limit?: number = 10, state?: "),
    );
    assert.match(signature, /sort\?: "new" \| "old" = "new", since\?: string \| null = null/);
    assert.match(signature, /labels\?: string\[\]\)$/);
    assert.ok((signature.match(/"\w+_\d+"/g)?.length ?? 0) >= 8, signature);
    assert.match(signature, /\| … \d+ more/);
    assert.ok(lines.includes("- limit: 1 to 25, 10 by default"), lines.join("\n"));
    assert.ok(lines.includes("- since: format date-time"), lines.join("\n"));
    assert.ok(lines.includes("- labels: at most 5 items"), lines.join("\n"));
    const values = lines.find((line) => line.startsWith("- state: one of ")) ?? "";
    assert.ok((values.match(/"\w+_\d+"/g)?.length ?? 0) >= 8, values);
    assert.match(values, /, … \d+ more$/);
    assert.ok(!lines.some((line) => line.startsWith("- sort:")), "the signature shows them");
    assert.ok(lines.includes('Example: tracker.list_issues(project="WEB")'), lines.join("\n"));
    assert.ok(!text.includes("'...'"));
  });
  await t.step("OT-44 OT-53 by its name everything", async () => {
    for (const name of ["tracker.log_work", "tracker__log_work", "tracker.logWork"]) {
      const text = await help(gateway, JSON.stringify(name));
      assert.equal(
        text,
        `## tracker.log_work
Logs hours on an issue.
${LOG_WORK}
- issue: Key of the issue
- hours: 0.25 to 24. How long
- date: format date
Example: tracker.log_work(issue="...", hours=1)

Logs hours on an issue. Needs the right to write, e.g. of a member.
Second line.

Effect: write
Source: proxy:tracker
Docs: https://docs.example/tracker/`,
      );
    }
    const plain = await help(gateway, '"tracker.close_issue"');
    assert.ok(plain.includes("\ntracker.close_issue(issue?: string): any\n"), plain);
  });
  await t.step("OT-44 what is too long keeps its first arguments and its end", async () => {
    const text = await help(gateway, '"huge.warehouse_7"');
    assert.ok(text.length <= 4_000, String(text.length));
    assert.match(text, /^huge\.warehouse_7\(argument_number_0\?: string, .*, … \d+ more\): any$/m);
    assert.match(text, /\nSource: proxy:huge\nDocs: https:\/\/docs\.example\/huge\/$/);
    const matches = await help(gateway, '"count boxes"');
    assert.ok(matches.length <= 4_000, String(matches.length));
    assert.match(matches, /^huge\.warehouse_\d+\(argument_number_0\?: .*, … \d+ more\)$/m);
  });
  await t.step("OT-45 a pack: instructions, and a signature for each tool", async () => {
    const text = await help(gateway, '"tracker"');
    const lines = text.split("\n");
    assert.deepEqual(lines.slice(0, 4), [
      "## tracker",
      "Issues and hours.",
      "\\# Not a heading",
      LOG_WORK,
    ]);
    assert.equal(lines.filter((line) => line.startsWith("tracker.")).length, TRACKER.length);
    assert.ok(!text.includes("\n- "), "no texts of arguments");
    assert.ok(text.endsWith("\n\nDocs: https://docs.example/tracker/"));
  });
  await t.step("OT-45 of a large pack the first tools, and how to narrow", async () => {
    const text = await help(gateway, '"huge"');
    assert.ok(text.length <= 6_000 && text.length > 5_000, String(text.length));
    const count = text.split("\n").filter((line) => line.startsWith("huge.")).length;
    assert.match(text, /^Docs: https:\/\/docs\.example\/huge\/$/m);
    assert.ok(text.includes(`… ${HUGE.length - count} more tools: `), text.slice(-200));
    const several = await help(gateway, '"huge", "send mail"');
    assert.ok(several.length <= 6_000 && several.length > 5_000, String(several.length));
    assert.ok(several.includes("## office.send_mail"));
  });
  await t.step("OT-46 OT-47 a snippet and an alias", async () => {
    const snippet = await help(gateway, '"$worked"');
    assert.match(
      snippet,
      /^## \$worked\nLogs work on an issue\n- issue: Which\n- hours: 1 by default\n/,
    );
    assert.match(snippet, /\nExample: \$worked issue=example\nTemplate:\n.*\{\{ issue \}\}/);
    const alias = await help(gateway, '"lw"');
    assert.equal(
      alias,
      "## lw\nAlias of tracker.log_work\nUsage: lw(...) calls tracker.log_work(...)",
    );
  });
  await t.step("OT-54 nothing found says so and names the packs", async () => {
    const text = await help(gateway, '"xyznonexistent"');
    assert.match(text, /^No matches for "xyznonexistent": .*ot\.tools\(\) or ot\.packs\(\)/);
    assert.match(text, /Packs: .*tracker, office, huge, evil/);
    const { value } = await send(gateway, 'ot.help("xyznonexistent", info="list")');
    assert.deepEqual(value, []);
  });
  await t.step("OT-50 names alone are a value", async () => {
    const { value, text } = await send(gateway, 'ot.help("evl", info="list")');
    assert.deepEqual(value, ["evil", "evil.gnarl"]);
    assert.equal(text, "[evil, evil.gnarl]");
    const { value: names } = await send(gateway, 'ot.help("office", info="list")');
    assert.deepEqual(names, ["office", "office.send_mail"]);
  });
  await t.step("OT-52 full is up to ten whole", async () => {
    const text = await help(gateway, '"report issue", info="full"');
    assert.equal(text.match(/^## \w+\./gm)?.length, 10);
  });
  await t.step("foreign text makes no heading and no fence, and hides nothing", async () => {
    for (const call of ['"evil.gnarl"', '"gnarl"', '"evil"', '"gnarl owned", info="full"']) {
      const text = await help(gateway, call);
      const headings = text.split("\n").filter((line) => /^[\s>*+.)\d-]*#/.test(line));
      for (const line of headings) {
        assert.match(line, /^## (evil|evil\.gnarl|tracker|\w+\.\w+)$/, call);
      }
      assert.ok(!/`{3}|~{3}/.test(text), text);
      assert.ok(!/^[\s>]*(=+|-+)\s*$/m.test(text), text);
      assert.ok(!/(?<!\\)<h1>/.test(text), text);
      assert.ok(!/(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(text), text);
    }
    assert.match(await help(gateway, '"evil.gnarl"'), /\\u202eesrever/);
  });
  await t.step("the format is for values, help is text", async () => {
    const plain = await help(gateway, '"office.send_mail"');
    for (const format of ["json", "yml", "raw"]) {
      const { text } = await send(gateway, 'ot.help("office.send_mail")', { format });
      assert.equal(text, plain);
    }
  });
  await t.step("OT-05 OT-06 ot.tools keeps its signature and has what is returned", async () => {
    const { value } = await send(gateway, 'ot.tools(pack="tracker", info="full")');
    const [logged, listed] = value as Record<string, unknown>[];
    assert.equal(logged?.returns, "{ id: string; total_hours: number }");
    assert.match(String(logged?.signature), /date\?: string = '\.\.\.'\)$/);
    assert.equal(listed?.returns, undefined);
  });
  await t.step("a client of MCP is pointed to it, with what packs are for", async () => {
    await using opened = await overHttp(gateway, newClient("modern"));
    const { client } = opened;
    const instructions = client.getInstructions() ?? "";
    assert.match(instructions, /ot\.help\("create issue", "send mail"\)/);
    assert.match(
      instructions,
      /\n\nPacks: .*; tracker: issues, hours(?:, \w+)?; office: mail; huge: warehouse; /,
    );
    const { content } = await client.callTool({
      name: "run",
      arguments: { command: 'ot.help("log work", "send mail")' },
    });
    const expected = await help(gateway, '"log work", "send mail"');
    assert.deepEqual(content, [{ type: "text", text: expected }]);
  });
});
