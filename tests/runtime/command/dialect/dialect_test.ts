/** Names, words, objects, paths and aliases of commands. */

import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { source } from "../read.ts";
import { table } from "./rows.ts";

Deno.test("`retry` of a call is an option, unless the tool has a parameter of that name", (t) =>
  table(t, {
    "last": ['brave.search(query="x", retry=2)', 'await brave.search({query:"x"}, {retry: 2})'],
    "first": [
      'brave.search(retry=2, query="x", count=1)',
      'await brave.search( {query:"x", count:1}, {retry: 2})',
    ],
    "between": [
      'brave.search(query="x",\n retry=n, count=1)',
      'await brave.search({query:"x",\n count:1}, {retry: n})',
    ],
    "after positional arguments": [
      'brave.search("x", 5, retry=2)',
      'await brave.search({query: "x", count: 5}, {retry: 2})',
    ],
    "alone": ["brave.ping(retry=2)", "await brave.ping({}, {retry: 2})"],
    "as an object": [
      'brave.search({q: "x"}, { retry: 2 })',
      'await brave.search({query: "x"}, { retry: 2 })',
    ],
    "as an object after keywords": [
      'brave.search(q="x", { retry: 2 })',
      'await brave.search({query:"x"}, { retry: 2 })',
    ],
    "the only object": ["brave.ping({ retry: 2 })", "await brave.ping({ retry: 2 })"],
    "the tool's own": [
      'context7.search(query="x", retry=2)',
      'await context7.search({query:"x", retry_after:2})',
    ],
    "a function of one's own": [
      "const f = (o) => o\nf(retry=2)",
      "const f = (o) => o\nf({retry:2})",
    ],
  }));

Deno.test("names that are assigned to are declared", (t) =>
  table(t, {
    "at its first": ["x = 1\nx", "let x = 1\nx"],
    "of a call": [
      'results = brave.search(q="x")\nresults',
      'let results = await brave.search({query:"x"})\nresults',
    ],
    "twice": ['x = 1\nx = "a"', 'let x: any = 1\nx = "a"'],
    "and added to": ["x = 1\nx += 1", "let x: any = 1\nx += 1"],
    "nothing in it yet": ["x = []\nx.push(1)", "let x: any = []\nx.push(1)"],
    "declared later is declared": ["x = 1\nvar x", "x = 1\nvar x"],
    "in a block": ["if (a) { x = 1 }\nx", "if (a) { x = 1 }\nx"],
    "read before": ["f(x)\nx = 1", "f(x)\nx = 1"],
    "used in a function before": [
      "function f() { return x }\nx = 1",
      "function f() { return x }\nlet x = 1",
    ],
    "chained": ["a = b = 1", "let a = b = 1"],
    "a name of the platform": ["name = 1", "let name = 1"],
    "in a function": ["function f() { x = 1 }", "function f() { x = 1 }"],
    "member": ["a.b = 1", "a.b = 1"],
    "keyword arguments declare nothing": [
      "brave.search(query=1)\nx = 2",
      "await brave.search({query:1})\nlet x = 2",
    ],
  }));

Deno.test("names that are first assigned elsewhere are declared before the program", async (t) => {
  const rows: Record<string, [string, string[]]> = {
    "block": ["if (a) { x = 1 }\nx", ["x"]],
    "read before": ["f(x)\nx = 1", ["x"]],
    "chain": ["a = b = 1", ["b"]],
    "pattern": ["[a, b] = [1, 2]", ["a", "b"]],
    "object pattern": ["({ a, c: { d = 1 }, ...e } = f())", ["a", "d", "e"]],
    "loop": ["for (i = 0; i < 3; i++) i", ["i"]],
    "for of": ["for (x of xs) x", ["x"]],
    "function alone": ["function f() { x = 1 }", []],
    "added to alone": ["x += 1", []],
    "handlers of the platform": ["onerror = f", []],
  };
  for (const [name, [command, names]] of Object.entries(rows)) {
    await t.step(name, () => {
      const { prelude } = source(command);
      deepStrictEqual([...prelude.local.matchAll(/let (\w+);/g)].map((match) => match[1]), names);
      strictEqual(prelude.checked.includes("let"), names.length > 0);
    });
  }
});

Deno.test("True, False and None are words of the language", (t) =>
  table(t, {
    "values": ["[True, False, None]", "[true, false, null]"],
    "argument": ["brave.search(fresh=True)", "await brave.search({fresh:true})"],
    "comparison": ["x == None", "x == null"],
    "in a string": ['"True"', '"True"'],
    "property": ["a.True", "a.True"],
    "key": ["({True: 1})", "({True: 1})"],
    "declared": ["const True = 1\nTrue", "const True = 1\nTrue"],
    "positional": ["brave.search(None)", "await brave.search({query: null})"],
  }));

Deno.test("RUN-17 an object as a statement is an expression", (t) =>
  table(t, {
    "keys in quotes": [
      '{"health": ot.health(), "config": ot.config()}',
      '({"health": await ot.health(), "config": await ot.config()})',
    ],
    "over lines": [
      '{\n  "a": [\n    {"b": 1}\n  ],\n  "c": 2,\n}',
      '({\n "a": [\n {"b": 1}\n ],\n "c": 2,\n})',
    ],
    "plain keys": ["{a: 1, b: f()}", "({a: 1, b: f()})"],
    "one plain key": ["{a: ot.health()}", "({a: await ot.health()})"],
    "names": ["{a, b}", "({a, b})"],
    "empty": ["{}", "({})"],
    "spread": ["{...a, b: 1}", "({...a, b: 1})"],
    "last": ['x = ot.health()\n{"a": x}', 'let x = await ot.health()\n;({"a": x})'],
    "two": ['{"a": 1}\n{"b": 2}', '({"a": 1})\n;({"b": 2})'],
    "with keyword arguments": [
      '{"a": brave.search(query="x"), "b": brave.odd(default=1)}',
      '({"a": await brave.search({query:"x"}), "b": await brave.odd({default:1})})',
    ],
    "braces in strings": ['{"a": "}", "b": `}${1}`}', '({"a": "}", "b": `}${1}`})'],
    "a block is one": ["{ const a = 1; f(a) }", "{ const a = 1; f(a) }"],
    "a block with a call": ["{ brave.ping() }", "{ await brave.ping() }"],
    "a labelled loop": ["a: for (;;) break a", "a: for (;;) break a"],
  }));

Deno.test("RUN-34 a slash after a project path joins", (t) =>
  table(t, {
    "one": ['proj.onetool / "src"', 'proj.onetool.join( "src")'],
    "without spaces": ['proj.onetool/"src"', 'proj.onetool.join( "src")'],
    "two": ['proj.onetool / "src" / name', 'proj.onetool.join( "src").join( name)'],
    "in brackets": ['(proj.onetool / "a") / "b"', '(proj.onetool.join( "a")).join( "b")'],
    "by text": ['proj["my-site"] / "src"', 'proj["my-site"].join( "src")'],
    "in a variable": [
      'const p = proj.onetool\np / "src"',
      'const p = proj.onetool\np.join( "src")',
    ],
    "joined": ['proj.onetool.join("a") / "b"', 'proj.onetool.join("a").join( "b")'],
    "the function": ['proj.path("x") / "y"', '(await proj.path({name: "x"})).join( "y")'],
    "a sum behind": ['proj.onetool / "a" + "b"', 'proj.onetool.join( "a") + "b"'],
    "numbers": ["a / 2", "a / 2"],
    "another's": ["const proj = {a: 4}\nproj.a / 2", "const proj = {a: 4}\nproj.a / 2"],
    "an expression": ['proj.onetool / (a ? "b" : "c")', 'proj.onetool.join( (a ? "b" : "c"))'],
  }));

Deno.test("RUN-29 aliases are resolved on the tree", (t) =>
  table(t, {
    "call": ['ws(query="x")', 'await brave.web_search({query:"x"})'],
    "alias of an alias": ['w("x")', 'await brave.web_search({query: "x"})'],
    "handed on": ["xs.map(ws)", "xs.map(brave.web_search)"],
    "shorthand": ["({ws})", "({ws: brave.web_search})"],
    "a name with other characters": ["odd(w=1)", 'await myPack["do-it"]({what:1})'],
    "in a string": ['"ws(1)"', '"ws(1)"'],
    "in a template": ["`ws(1) ${ws(1)}`", "`ws(1) ${await brave.web_search({query: 1})}`"],
    "in a comment": ["1 // ws(1)", "1 // ws(1)"],
    "property": ["a.ws(1)", "a.ws(1)"],
    "declared": ["const ws = f\nws(1)", "const ws = f\nws(1)"],
    "its pack's name is taken": [
      "const brave = 1\nws(1)",
      "const brave = 1\nawait $tools.brave.web_search({query: 1})",
    ],
  }));

Deno.test("lines without semicolons end a statement", (t) =>
  table(t, {
    "list": ["a = brave.ping()\n[a, 1]", "let a = await brave.ping();\n[a, 1]"],
    "template": ["const a = f\n`${a}`", "const a = f;\n`${a}`"],
    "brackets": ["a = f\n(a + 1).b", "let a = f;\n(a + 1).b"],
    "several": ["a = f\n[1]\n[2]", "let a = f;\n[1];\n[2]"],
    "deeper is more of it": ["const a = f()\n  [0]", "const a = f()\n [0]"],
    "within brackets": ["f(a\n[0])", "f(a\n[0])"],
    "a comment between": ["a = f // why\n[1]", "let a = f; // why\n[1]"],
  }));
