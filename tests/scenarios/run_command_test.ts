/** RUN: one command, through `POST /run`. */

import assert from "node:assert/strict";
import { type CommandRow, send, stepThrough } from "../support/commands.ts";
import { openGateway, type TestGateway } from "../support/gateway.ts";
import { fixture, pinnedCommand } from "../support/servers.ts";

async function openCommands(): Promise<TestGateway> {
  const { command, args } = fixture("good");
  const gateway = await openGateway({
    servers: {
      everything: pinnedCommand("everything"),
      fixture: { command, args },
      "second-fixture": { command, args },
    },
    alias: { say: "everything.echo", shout: "say" },
    snippets: {
      twice: {
        description: "Says a text twice",
        params: { text: {}, mark: { default: "!" } },
        body: 'a = everything.echo(message="{{ text }}{{ mark }}")\n' +
          'b = everything.echo(message="{{ text }}{{ mark }}")\n[a, b]',
      },
    },
    projects: { onetool: "/srv/onetool", site: { path: "/srv/site", attrs: { owner: "ana" } } },
    output: { max_inline_size: 2000, preview_lines: 3, result_ttl: 1000 },
  });
  await gateway.ready();
  return gateway;
}

const FENCE = "```";

const ROWS: readonly CommandRow[] = [
  { name: "RUN-01 a fence with a language", command: `${FENCE}python\n1 + 1\n${FENCE}`, text: "2" },
  { name: "RUN-02 a fence without one", command: `${FENCE}\n1 + 1\n${FENCE}`, text: "2" },
  { name: "RUN-03 inline back-ticks", command: "`1 + 1`", text: "2" },
  {
    name: "RUN-04 a fence inside is data",
    command: 'x = "```\\ninner\\n```"\nx.length',
    value: 13,
  },
  { name: "RUN-05 no fence", command: "2 * 3", text: "6" },
  {
    name: "RUN-06 the legacy prefix",
    command: '!onetool upper(text="hello")',
    code: "syntax_error",
    text: /invalid|syntax/i,
  },
  { name: "RUN-07 a simple call", command: 'everything.echo(message="hi")', text: "Echo: hi" },
  {
    name: "RUN-08 a block",
    command: 'names = ["a", "b"]\nfor (const n of names) everything.echo(message=n)\nnames.length',
    text: "2",
  },
  {
    name: "RUN-08 a callback waits",
    command: 'names = ["a", "b"]\nnames.map((n) => second_fixture.echo(v=n).v).join("-")',
    text: "a-b",
  },
  {
    name: "RUN-08 a callback in a callback waits, in a function too",
    command: "const one = (n: string): string => second_fixture.echo(v=n).v\n" +
      'lists = [["a"], ["b", "c"]]\nlists.map((list) => list.map(one).join("+")).join()',
    text: "a,b+c",
  },
  {
    name: "RUN-08 a callback of a Map waits",
    command: "const out: string[] = []\n" +
      'new Map([["k", 1]]).forEach((v, k) => { out.push(k + second_fixture.echo(v=v).v) })\nout',
    value: ["k1"],
  },
  {
    name: "RUN-08 a sum over a result of any type",
    command: "second_fixture.echo(list=[1, 2, 3]).list?.reduce((sum, n) => " +
      "sum + second_fixture.echo(n=n).n, 0)",
    text: "6",
  },
  {
    name: "RUN-21 a callback of what is no list",
    command: '1\nnew Map([["k", 1]]).values().filter((v) => second_fixture.echo(v=v).v)',
    code: "type_error",
    line: 2,
    text: /write \[\.\.\.new Map\(\[\["k", 1\]\]\)\.values\(\)\]\.filter\(…\)/,
  },
  {
    name: "RUN-22 a callback of what turns out to be no list",
    command: "const m: any = new Set([1]).values()\n\nm.filter((v) => second_fixture.echo(v=v).v)",
    code: "thrown",
    line: 3,
    text: /^TypeError: Cannot wait for tools in a callback of "\.filter"/,
  },
  {
    name: "RUN-21 a callback that cannot wait",
    command: '["a"].sort((a, b) => second_fixture.echo(v=a).v - second_fixture.echo(v=b).v)',
    code: "type_error",
    line: 1,
    text: /Promise\.all\(\["a"\]\.map\(async \(a\) => /,
  },
  {
    name: "RUN-22 an error in a callback",
    command: '["a"].forEach((n) => {\n  const r = second_fixture.echo(v=n)\n' +
      '  throw new RangeError("far " + r.v)\n})',
    code: "thrown",
    line: 3,
    text: /^RangeError: far a\n/,
  },
  { name: "RUN-25 in camelCase", command: "everything.getSum(a=1, b=2)", text: /is 3/ },
  { name: "RUN-25 in snake_case", command: "everything.get_sum(a=1, b=2)", text: /is 3/ },
  { name: "RUN-25 a pack in snake_case", command: "second_fixture.echo(a=1)", value: { a: 1 } },
  {
    name: "RUN-25 a pack in snake_case, where only the run knows the name",
    command: 'const name = "second_fixture"\n(tools as any)[name].echo({ a: 1 })',
    value: { a: 1 },
  },
  {
    name: "RUN-25 in snake_case, where only the run knows the name",
    command: 'const name = "get_sum"\n(tools.everything as any)[name]({ a: 1, b: 2 })',
    text: /is 3/,
  },
  {
    name: "RUN-24 the signature as it is written",
    command: "everything.get_sum(a=1)",
    code: "type_error",
    text: /expected: everything\.getSum\(a: number, b: number\)/,
  },
  { name: "RUN-09 an expression", command: "[1, 2].map((n) => n * 2)", text: "[2,4]" },
  { name: "RUN-10 the last expression", command: "const a = 4\na * 10", text: "40" },
  {
    name: "RUN-11 an explicit return",
    command: "if (true) { return 'early' }\n'late'",
    text: "early",
  },
  { name: "RUN-12 no value", command: "const a = 1", text: "OK: no value returned" },
  { name: "RUN-13 None", command: "None", text: "null" },
  { name: "RUN-13 undefined", command: "return undefined", text: "null" },
  { name: "RUN-14 an object", command: "fixture.echo(a=1)", text: '{"a":1}', value: { a: 1 } },
  { name: "RUN-15 a list", command: "[{a: 1}, {b: [2]}]", text: '[{"a":1},{"b":[2]}]' },
  { name: "RUN-16 a string", command: '"as it is"', text: "as it is" },
  {
    name: "RUN-17 composed tool results",
    command: '{"one": fixture.echo(a=1), "two": fixture.echo(b="x")}',
    text: '{"one":{"a":1},"two":{"b":"x"}}',
  },
  { name: "RUN-18 indented code", command: "    a = 1\n    b = 2\n    a + b", text: "3" },
  { name: "RUN-19 mixed indentation", command: "\ta = 1\n    b = 2\r\n\t  a + b", text: "3" },
  { name: "RUN-20 empty lines", command: "a = 1\n\n\n   \nb = 2\n\na + b", text: "3" },
  {
    name: "RUN-21 a syntax error",
    command: `${FENCE}ts\nconst a = 1\nconst b = ;\n${FENCE}`,
    code: "syntax_error",
    line: 3,
    text: /^Syntax error at line 3: [^]*const b = ;\n.*\^/,
  },
  {
    name: "RUN-22 a runtime error",
    command: 'x = 1\nthrow new RangeError("too far")',
    code: "thrown",
    line: 2,
    text: /^RangeError: too far\n[^]*throw new RangeError/,
  },
  {
    name: "RUN-23 an unknown tool",
    command: 'nothing(query="x")',
    code: "type_error",
    text: /available/,
  },
  {
    name: "RUN-24 a wrong argument",
    command: "everything.echo(message=5)",
    code: "type_error",
    text: /expected: everything\.echo\(message: string\)/,
  },
  {
    name: "RUN-24 a missing argument",
    command: "everything.echo()",
    code: "type_error",
    text: /everything\.echo\(message: string\)/,
  },
  {
    name: "RUN-24 an argument that only dispatch sees",
    command: "const args: any = {message: 5}\neverything.echo(args)",
    code: "tool_error",
    text: /everything\.echo\(message: string\)/,
  },
  {
    name: "RUN-25 a pack's function",
    command: "everything.getSum(a=1, b=2)",
    text: /sum of 1 and 2 is 3/,
  },
  {
    name: "RUN-26 an unknown pack",
    command: "unknown.func()",
    code: "type_error",
    text: /no such pack "unknown"[^]*everything/,
  },
  ...[
    'localStorage.getItem("x")',
    "localStorage.x",
    "sessionStorage.clear()",
    'caches.open("x")',
    'alert("x")',
    'new Worker("x")',
  ].map((command) => ({
    name: `RUN-26 what the sandbox takes away is no missing pack: ${command}`,
    command,
    code: "thrown",
    text: /^ReferenceError: \w+ is not defined/,
  })),
  ...['document.querySelector("x")', "history.back()", "new XMLHttpRequest()"].map((command) => ({
    name: `RUN-26 what browsers have is no missing pack: ${command}`,
    command,
    code: "type_error",
    text: /^Type error at line 1: Cannot find name '\w+'\.\n/,
  })),
  {
    name: "RUN-26 what the sandbox takes away can be asked for",
    command: 'typeof localStorage === "undefined" ? "none" : localStorage.getItem("x")',
    text: "none",
  },
  {
    name: "RUN-27 an unknown function",
    command: "everything.nonexistent()",
    code: "type_error",
    text: /no such tool in "everything"[^]*echo/,
  },
  {
    name: "RUN-28 the same function in two packs",
    command: 'a = everything.echo(message="x")\nb = fixture.echo(message="x")\n[a, b]',
    value: ["Echo: x", { message: "x" }],
  },
  { name: "RUN-29 an alias", command: 'say(message="x")', text: "Echo: x" },
  { name: "RUN-29 an alias of an alias", command: 'shout(message="x")', text: "Echo: x" },
  { name: "RUN-29 an alias in a string stays", command: '"say(message)"', text: "say(message)" },
  {
    name: "RUN-30 an unknown alias",
    command: "unknown(arg=1)",
    code: "type_error",
    text: /unknown/,
  },
  { name: "RUN-31 a snippet", command: "$twice text=hi", value: ["Echo: hi!", "Echo: hi!"] },
  {
    name: "RUN-31 a hostile value stays data",
    command: '$twice text="\\"); throw 1; (\\"${1}`{{ mark }}" mark=?',
    value: Array(2).fill('Echo: "); throw 1; ("${1}`{{ mark }}?'),
  },
  {
    name: "RUN-31 a snippet as a function",
    command: 'snippets.twice({text: "f"})',
    value: ["Echo: f!", "Echo: f!"],
  },
  { name: "RUN-31 a missing parameter", command: "$twice", code: "syntax_error", text: /text/ },
  { name: "RUN-32 a project", command: "proj.onetool", text: "/srv/onetool" },
  { name: "RUN-33 functions first", command: "proj.list()", value: ["onetool", "site"] },
  { name: "RUN-33 path", command: 'proj.path("site").attr("owner")', text: "ana" },
  {
    name: "RUN-34 a joined path",
    command: 'proj.onetool / "src" / "a.ts"',
    text: "/srv/onetool/src/a.ts",
  },
  {
    name: "RUN-35 an unknown project",
    command: "proj.unknown",
    code: "thrown",
    text: /^AttributeError: .*path, list.*onetool, site/,
  },
  {
    name: "RUN-46 prefixes in a pack of this process",
    command: 'tools.proj.path(n="site")',
    text: "/srv/site",
  },
  {
    name: "RUN-48 prefixes in a server's tool",
    command: 'everything.echo(m="x")',
    text: "Echo: x",
  },
  { name: "RUN-50 compact JSON", command: "({a: [1, 2]})", text: '{"a":[1,2]}' },
  { name: "RUN-51 json", command: '__format__ = "json"\n({a: 1})', text: '{"a":1}' },
  { name: "RUN-52 json_h", command: '__format__ = "json_h"\n({a: 1})', text: '{\n  "a": 1\n}' },
  { name: "RUN-53 yml", command: '__format__ = "yml"\n({a: [1, 2]})', text: /^\{a: \[1, 2\]\}$/ },
  { name: "RUN-54 yml_h", command: '__format__ = "yml_h"\n({a: [1]})', text: "a:\n  - 1" },
  { name: "RUN-55 raw", command: '__format__ = "raw"\nreturn 5', text: "5" },
  { name: "RUN-56 a string stays", command: '__format__ = "json_h"\n"text"', text: "text" },
  { name: "RUN-57 an unknown format", command: '__format__ = "xml"\n({a: 1})', text: '{"a":1}' },
  {
    name: "RUN-58 sanitized",
    command: "__sanitize__ = True\n'foreign'",
    text: /foreign[^]*external/,
  },
  { name: "RUN-59 not sanitized", command: "__sanitize__ = False\n'own'", text: "own" },
  { name: "RUN-60 not by itself", command: "'own'", text: "own" },
  { name: "RUN-61 below the threshold", command: "'x'.repeat(1999)", text: "x".repeat(1999) },
];

Deno.test("RUN-01 to RUN-61 commands run as the command language says", async (t) => {
  await using gateway = await openCommands();
  await stepThrough(t, gateway, ROWS);

  await t.step("RUN-58 sanitizing asked for with the command leaves the value out", async () => {
    const reply = await send(gateway, "'foreign'", { sanitize: true });
    assert.match(reply.text, /foreign/);
    assert.notEqual(reply.text, "foreign");
    assert.equal("value" in reply, false);
  });

  await t.step("RUN-53 a format asked for with the command", async () => {
    assert.equal((await send(gateway, "({a: 1})", { format: "yml" })).text, "{a: 1}");
  });

  await t.step("RUN-62 to RUN-65 a large reply is stored and summed up", async () => {
    const reply = await send(
      gateway,
      "Array.from({length: 500}, (_, id) => ({id, name: `n${id}`}))",
    );
    assert.equal((reply.value as unknown[]).length, 500);
    const summary = JSON.parse(reply.text);
    for (
      const key of ["handle", "total_lines", "size_bytes", "summary", "preview", "query", "shape"]
    ) {
      assert.ok(key in summary, key);
    }
    assert.ok(reply.text.length <= 2000);
    assert.match(summary.query, /^ot\.result\(handle='\w+', offset=1, limit=\d+\)$/);
    const folder = `${gateway.project}/.onetool/tmp`;
    const meta = JSON.parse(
      await Deno.readTextFile(`${folder}/result-${summary.handle}.meta.json`),
    );
    assert.deepEqual(
      ["handle", "total_lines", "size_bytes", "created_at", "tool"].filter((key) => !(key in meta)),
      [],
    );
    const stored = await Deno.readTextFile(`${folder}/result-${summary.handle}.txt`);
    assert.equal(JSON.parse(stored).length, 500);
    assert.equal(stored.split("\n").length, summary.total_lines);
    if (Deno.build.os !== "windows") {
      const { mode } = await Deno.stat(`${folder}/result-${summary.handle}.txt`);
      assert.equal((mode ?? 0) & 0o777, 0o600);
    }
  });
});
