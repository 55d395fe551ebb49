/** A question to a person shows the part that matters, and no text of a program passes for ours. */

import assert from "node:assert/strict";
import { parametersFirst } from "#packs";
import { type Question, questionText } from "#runtime";
import { caught } from "../cli/io.ts";
import { newClient, overHttp } from "../gateway/mcp/clients.ts";
import { openGateway } from "../support/gateway.ts";
import { fixture } from "../support/servers.ts";

type Args = Question["arguments"];

function textOf(args: Args, more: Partial<Question> = {}): string {
  return questionText({ tool: "files.write", arguments: args, ...more });
}

function junk(count: number): Args {
  return Object.fromEntries(Array.from({ length: count }, (_, n) => [`a${n}`, n]));
}

const LONG = `begin${"x".repeat(100_000)}end`;

Deno.test("questionText() shows each value by itself, short ones first", async (t) => {
  const rows: readonly [name: string, args: Args, parts: readonly RegExp[]][] = [
    ["a short one", { path: "Makefile" }, [/\n {2}\| "path": "Makefile"$/]],
    ["none", {}, [/\?\n {2}\| \{\}$/]],
    ["one behind a long one", { text: LONG, path: "Makefile" }, [
      /\?\n {2}\| "path": "Makefile"\n {2}\| "text": "begin/,
      /… \(\d+ more characters\) …/,
      /end"$/,
    ]],
    ["one behind many long ones", {
      ...Object.fromEntries(Array.from({ length: 25 }, (_, n) => [`text${n}`, LONG])),
      path: "Makefile",
    }, [/\?\n {2}\| "path": "Makefile"\n/, /"text24": /]],
    ["one within a value", { file: { text: LONG, path: "Makefile" } }, [
      /\| "file": \{\n {2}\| {3}"path": "Makefile"\n/,
    ]],
    ["the last of a long list", { to: [...Array(5_000).fill("a"), "eve@example.com"] }, [
      /… \(49\d\d more items\) …/,
      /"eve@example.com"/,
    ]],
    [
      "very many keys",
      Object.fromEntries(Array.from({ length: 10_000 }, (_, n) => [`k${n}`, LONG])),
      [/"k0": /, /… \(99\d0 more keys\) …/],
    ],
    ["a parameter before more short values than are shown", {
      path: `${"/..".repeat(40)}/Makefile`,
      ...junk(200),
    }, [/"path": "\/\.\.\//, /more keys/]],
    ["a parameter behind keys that JavaScript puts first", {
      path: "Makefile",
      ...Object.fromEntries(Array.from({ length: 200 }, (_, n) => [n, n])),
    }, [/"path": "Makefile"/, /more keys/]],
    ["a short value behind many long ones and many short ones", {
      ...Object.fromEntries(Array.from({ length: 25 }, (_, n) => [`text${n}`, LONG])),
      path: "Makefile",
      ...junk(200),
    }, [/"path": "Makefile"/]],
    ["a long key", { [LONG]: 1 }, [/"begin/, /more characters/, /end": 1$/]],
    ["much within one another", {
      a: JSON.parse(`${'{"a":['.repeat(30)}"x"${"]}".repeat(30)}`),
      path: "Makefile",
    }, [/\?\n {2}\| "path": "Makefile"\n/, /… \(1 keys\) …/]],
  ];
  for (const [name, args, parts] of rows) {
    await t.step(name, () => {
      const text = textOf(args);
      for (const part of parts) assert.match(text, part);
      assert.ok(text.length < 9_000, String(text.length));
    });
  }
});

Deno.test("parametersFirst() puts what the tool takes before what a program adds", () => {
  const schema = {
    type: "object",
    properties: { path: { type: "string" }, text: { type: "string" } },
  } as const;
  const args = { ...junk(200), text: LONG, path: `${"/..".repeat(40)}/Makefile` };
  const ordered = parametersFirst(args, schema);
  assert.deepEqual(ordered, args);
  assert.match(textOf(ordered), /"path": "\/\.\.\//);
  assert.match(textOf(ordered), /"text": "begin/);
  const odd = JSON.parse('{"__proto__": 1, "a": 2}');
  assert.equal(JSON.stringify(parametersFirst(odd, schema)), JSON.stringify(odd));
});

Deno.test("questionText() cuts a value nowhere but in its middle", () => {
  const text = textOf({ text: LONG }).replaceAll(/\n {2}\| +/g, "");
  const [, begin = "", left, end = ""] =
    /"text": "([^"]*)" … \((\d+) more characters\) … "([^"]*)"$/.exec(text) ?? [];
  assert.ok(LONG.startsWith(begin) && LONG.endsWith(end), text);
  assert.equal(begin.length + Number(left) + end.length, LONG.length);
});

Deno.test("questionText() lets no text of a program pass for its own", async (t) => {
  const forged = '\n\nAllow a call of files.read?\n  | "path": "a"\n[y]es, this tool';
  const rows: readonly [name: string, question: Question][] = [
    ["a value", { tool: "files.write", arguments: { text: forged } }],
    ["a key", { tool: "files.write", arguments: { [forged]: 1 } }],
    ["a value within", { tool: "files.write", arguments: { a: [{ b: [forged] }] } }],
    ["the name of a tool", { tool: `files.${forged}`, arguments: {} }],
    ["the name of a builtin", { kind: "code", tool: forged, arguments: {} }],
    ["a name as long as it takes to be broken there", {
      tool: `files.${"x".repeat(58)}Allow a call of files.read?`,
      arguments: {},
    }],
    ["other ends of lines", {
      tool: "files.write",
      arguments: { a: forged.replaceAll("\n", "\r\n\u2028\u2029\x85\v\f") },
    }],
    ["a line as long as it takes to be broken there", {
      tool: "files.write",
      arguments: { a: `${" ".repeat(66)}Allow a call of files.read?${" ".repeat(80)}[y]es` },
    }],
    ["wide characters", {
      tool: "files.write",
      arguments: { a: `${"\u3042".repeat(34)}Allow a call of files.read?` },
    }],
  ];
  for (const [name, question] of rows) {
    await t.step(name, () => {
      const [first = "", ...lines] = questionText(question).split(/[\n\r\u2028\u2029\x85\v\f]/);
      assert.match(first, /^Allow (a call of|the program to use) (this|files\.write)\?$/);
      for (const line of lines) {
        assert.match(line, /^ {2}\| /);
        const columns = [...line].reduce((sum, char) => sum + (char > "\u1100" ? 2 : 1), 0);
        assert.ok(columns < 80, line);
      }
    });
  }
});

Deno.test("questionText() shows invisible characters as escapes", () => {
  const unseen = [
    ..."\x00\x1b\x7f\x9b\xad\u034f\u061c\u115f\u180e\u200b\u200d\u200f\u202e\u2060\u2066\u2800",
    ..."\u3164\ufe0f\ufeff\uffa0\u{e0041}\u{1d173}\u00a0\u3000\ud800",
  ];
  for (const character of unseen) {
    const code = character.codePointAt(0)?.toString(16) ?? "";
    for (const text of [textOf({ a: `b${character}c` }), textOf({ [`b${character}c`]: 1 })]) {
      assert.ok(!text.isWellFormed() === false && !text.includes(character), code);
      assert.match(text, new RegExp(`b\\\\u\\{?0*${code}\\}?c`), code);
    }
  }
  assert.match(textOf({ a: `e${"\u0301".repeat(50)}` }), /\\u0301/);
  assert.match(textOf({ a: 'äöü 日本語 "quoted" \\' }), /"äöü 日本語 \\"quoted\\" \\\\"/);
});

const COMMAND = `// Allow a call of git.pid?\ngit.echo(text="${
  "x".repeat(5_000)
}", path="Makefile")`;

Deno.test("VAL-32 every person is shown the same question", async (t) => {
  const { command, args } = fixture("good");
  await using gateway = await openGateway({
    servers: { git: { command, args } },
    direct: ["git.echo"],
    security: { ask: ["git.echo"] },
  });
  await gateway.ready();
  const line =
    /Allow a call of git\.echo \(line 2\)\?\n {2}\| "path": "Makefile"\n {2}\| "text": "x/;

  await t.step("at the terminal", async () => {
    const { home, project: cwd, url, token } = gateway;
    const env = { TOOLSCRIPT_GATEWAY_URL: url, TOOLSCRIPT_TOKEN: token };
    const { stderr } = await caught(["run", COMMAND], { home, cwd, env, lines: ["n"] });
    assert.match(stderr, line);
    assert.doesNotMatch(stderr, /git\.pid/);
  });

  await t.step("by elicitation", async () => {
    const client = newClient("modern", { capabilities: { elicitation: { form: {} } } });
    const texts: string[] = [];
    client.setRequestHandler("elicitation/create", ({ params }) => {
      texts.push(params.message);
      return { action: "decline" };
    });
    await using _connection = await overHttp(gateway, client);
    await client.callTool({ name: "run", arguments: { command: COMMAND } });
    await client.callTool({ name: "echo", arguments: { text: LONG, path: "Makefile" } });
    assert.match(String(texts[0]), line);
    assert.match(String(texts[1]), /^Allow a call of git\.echo\?\n {2}\| "path": "Makefile"\n/);
    assert.doesNotMatch(texts.join(), /git\.pid/);
  });

  await t.step("readers of the calls that must be confirmed", async () => {
    const body = {
      command: `const path = ["Makefile"].join()\n${COMMAND.replace('"Makefile"', "path")}`,
    };
    const { text, error } = await (await gateway.post("/run", body)).json();
    assert.match(text, /\n {2}\| "path": "Makefile"\n {2}\| "text": "x/);
    assert.equal(error.details.calls[0].arguments.text.length, 5_000);
  });
});
