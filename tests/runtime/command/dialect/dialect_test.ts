import { deepStrictEqual, match, strictEqual } from "node:assert/strict";
import { rewritten, source, squeezed } from "../read.ts";

type Rows = Readonly<Record<string, readonly [command: string, expected: string]>>;

async function table(t: Deno.TestContext, rows: Rows): Promise<void> {
  for (const [name, [command, expected]] of Object.entries(rows)) {
    await t.step(name, () => strictEqual(rewritten(command), squeezed(expected)));
  }
}

Deno.test("keyword arguments become one object", (t) =>
  table(t, {
    "one": ['brave.search(query="x")', 'await brave.search({query:"x"})'],
    "several": ['brave.search(query="x", count = 5)', 'await brave.search({query:"x", count : 5})'],
    "over lines": [
      'brave.search(\n  query="x", // why\n  count=5,\n)',
      'await brave.search(\n {query:"x", // why\n count:5},\n)',
    ],
    "comments with marks": [
      "brave.search(query /* = */ = /* = */ 1)",
      "await brave.search({query /* = */ : /* = */ 1})",
    ],
    "any function": ['console.log(a=1, b="x")', 'console.log({a:1, b:"x"})'],
    "behind a positional one": ['console.log("n", a=1)', 'console.log("n", {a:1})'],
    "nested": [
      "brave.search(query=ot.health(), count=f(a=1))",
      "await brave.search({query:await ot.health(), count:f({a:1})})",
    ],
    "a name like the argument": [
      'query = "x"\nbrave.search(query=query)',
      'let query = "x"\nawait brave.search({query:query})',
    ],
    "a declared name on a tool": [
      'let query = "x"\nbrave.search(query="y")',
      'let query = "x"\nawait brave.search({query:"y"})',
    ],
    "a declared name elsewhere is assigned to": [
      "let a\nconsole.log(a = 1)",
      "let a\nconsole.log(a = 1)",
    ],
    "a constant elsewhere is no target": [
      "const a = 1\nconsole.log(a=a)",
      "const a = 1\nconsole.log({a:a})",
    ],
    "in brackets it is an assignment": [
      "console.log((a = 1))",
      "console.log((a = 1))",
    ],
    "reserved words": [
      'brave.odd(default="x", class=1)',
      'await brave.odd({default:"x", class:1})',
    ],
    "names that are no identifiers": [
      "brave.odd(user=1, __proto__=2)",
      'await brave.odd({"user-id" :1, ["__proto__"] :2})',
    ],
    "snippets": ['snippets.wsq(q1="a")', 'await snippets.wsq({q1:"a"})'],
    "in a method chain": [
      'brave.search(query="x").items.filter(f)',
      '(await brave.search({query:"x"})).items.filter(f)',
    ],
    "in a template": ["`${brave.search(query=`x`)}`", "`${await brave.search({query:`x`})}`"],
  }));

Deno.test("positional arguments of a tool are named in signature order", (t) =>
  table(t, {
    "one": ['brave.search("x")', 'await brave.search({query: "x"})'],
    "two": ['brave.search("x", 5)', 'await brave.search({query: "x", count: 5})'],
    "before keywords": ['brave.search("x", c=5)', 'await brave.search({query: "x", count:5})'],
    "two before keywords": [
      'brave.search("x", 5, f=True)',
      'await brave.search({query: "x", count: 5, fresh:true})',
    ],
    "an object stays": ['brave.search({query: "x"})', 'await brave.search({query: "x"})'],
    "an object in brackets stays": [
      'brave.search(({query: "x"}))',
      'await brave.search(({query: "x"}))',
    ],
    "an object with a type stays": [
      'brave.search({query: "x"} as any)',
      'await brave.search({query: "x"} as any)',
    ],
    "a constant that is an object stays": [
      'const o = {query: "x"}\nbrave.search(o)',
      'const o = {query: "x"}\nawait brave.search(o)',
    ],
    "a constant that is text": [
      'const q = "x" + 1\nbrave.search(q)',
      'const q = "x" + 1\nawait brave.search({query: q})',
    ],
    "a parameter with a type": [
      "async (q: string) => brave.search(q)",
      "async (q: string) => await brave.search({query: q})",
    ],
    "what cannot be known is asked": [
      "for (const q of f()) brave.search(q)",
      'for (const q of f()) await brave.search($named(q, "query"))',
    ],
    "no parameters": ["brave.ping(1)", "await brave.ping(1)"],
    "too many": ["brave.search(1, 2, 3, 4)", "await brave.search(1, 2, 3, 4)"],
    "spread": ["brave.search(...xs)", "await brave.search(...xs)"],
    "nothing": ["brave.search()", "await brave.search()"],
    "undefined": ["brave.search(undefined)", "await brave.search(undefined)"],
    "a project path": [
      'brave.search(proj.onetool / "src")',
      'await brave.search({query: proj.onetool.join( "src")})',
    ],
  }));

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

Deno.test("a callback of a list with a tool call waits, and so does the call around it", (t) =>
  table(t, {
    "map": [
      "a = xs.map((x) => brave.search(x).n)",
      'let a = await $inTurn(xs).map(async (x) => (await brave.search($named(x, "query"))).n)',
    ],
    "a tool that only reads": [
      "a = xs.map((x) => ot.health().n)",
      "let a = await $together(xs).map(async (x) => (await ot.health()).n)",
    ],
    "one that only reads, beside a change": [
      "let n = 0\nconst a = xs.map((x) => n += ot.health().n)",
      "let n = 0\nconst a = await $inTurn(xs).map(async (x) => n += (await ot.health()).n)",
    ],
    "the promise is kept": [
      "const ps = xs.map((x) => brave.ping())\nawait Promise.all(ps)",
      "const ps = xs.map((x) => brave.ping())\nawait Promise.all(ps)",
    ],
    "one after another from the kept": [
      "const ps = xs.map((x) => brave.ping())\nfor (const p of ps) f(await p)",
      "const ps = xs.map((x) => brave.ping())\nfor (const p of ps) f(await p)",
    ],
    "a member inside Promise.all": [
      "Promise.all(xs.map((x) => brave.ping().n))",
      "Promise.all(xs.map(async (x) => (await brave.ping()).n))",
    ],
    "a filter inside Promise.all": [
      "Promise.all(xs.filter((x) => brave.ping().n))",
      "Promise.all(await $inTurn(xs).filter(async (x) => (await brave.ping()).n))",
    ],
    "a chain": [
      "xs.filter((x) => brave.ping()).map((x) => x.n)",
      "(await $inTurn(xs).filter(async (x) => await brave.ping())).map((x) => x.n)",
    ],
    "at the end of a line before": [
      "const a = xs\nbrave.ping().map((x) => brave.ping().n).length",
      "const a = xs\n;(await $inTurn((await brave.ping())).map(async (x) => " +
      "(await brave.ping()).n)).length",
    ],
    "an optional chain": [
      "a?.b\n  .map((x) => brave.ping().n).length",
      "(await $inTurn(a?.b)\n ?.map(async (x) => (await brave.ping()).n))?.length",
    ],
    "an optional element": [
      "a?.find((x) => brave.ping())[0]",
      "(await $inTurn(a)?.find(async (x) => await brave.ping()))?.[0]",
    ],
    "nested": [
      "a = xs.map((x) => x.map((y) => brave.ping().n).length)",
      "let a = await $inTurn(xs).map(async (x) => (await $inTurn(x).map(async (y) => " +
      "(await brave.ping()).n)).length)",
    ],
    "Array.from": [
      "a = Array.from(xs, () => brave.ping().n)",
      "let a = await $inTurn(Array).from(xs, async () => (await brave.ping()).n)",
    ],
    "asynchronous already": [
      "xs.map(async (x) => brave.ping())\nxs.forEach(async (x) => brave.ping())",
      "xs.map(async (x) => await brave.ping())\nawait $inTurn(xs).forEach(async (x) => " +
      "await brave.ping())",
    ],
    "asynchronous already, and a mistake": [
      "xs.map(async (x) => brave.ping()).join()",
      "(await $together(xs).map(async (x) => await brave.ping())).join()",
    ],
    "a handler of a promise": [
      "f().then((x) => brave.ping().n)",
      "f().then(async (x) => (await brave.ping()).n)",
    ],
    "a timer": [
      "setTimeout(() => { brave.ping() }, 1)",
      "setTimeout(async () => { await brave.ping() }, 1)",
    ],
    "a tool named as a method": [
      "const f = () => late.map((x) => x)\nf().n",
      "const f = async () => await late.map((x) => x)\n;(await f()).n",
    ],
  }));

Deno.test("a function of the command with a tool call waits, and so do its callers", (t) =>
  table(t, {
    "constant": [
      "const f = (x) => brave.ping().n\nxs.map(f)\nf(1) + 1",
      "const f = async (x) => (await brave.ping()).n\nawait $inTurn(xs).map(f)\nawait f(1) + 1",
    ],
    "declared, with a type": [
      "function f(x: string): number { return brave.ping().n }\nf(1) + 1",
      "async function f(x: string): Promise<number> { return (await brave.ping()).n }\n" +
      "await f(1) + 1",
    ],
    "implicit": [
      "f = (x) => brave.ping().n\nf(1) + 1",
      "let f = async (x) => (await brave.ping()).n\nawait f(1) + 1",
    ],
    "by another name": [
      "const f = () => brave.ping().n\nconst g = f\ng() + 1",
      "const f = async () => (await brave.ping()).n\nconst g = f\nawait g() + 1",
    ],
    "called by another": [
      "const f = () => brave.ping()\nconst g = () => f().n\ng() + 1",
      "const f = async () => await brave.ping()\nconst g = async () => (await f()).n\n" +
      "await g() + 1",
    ],
    "calling itself": [
      "function f(x) { return brave.ping().map((y) => f(y)) }\na = f(1)",
      "async function f(x) { return await $inTurn((await brave.ping())).map(async (y) => " +
      "await f(y)) }\nlet a = await f(1)",
    ],
    "at once called": ["(() => brave.ping().n)()", "await (async () => (await brave.ping()).n)()"],
    "an argument of another": [
      "function twice(f) { return [f(), f()] }\na = twice(() => brave.ping())\na.length",
      "async function twice(f) { return [await f(), await f()] }\n" +
      "let a = await twice(async () => await brave.ping())\na.length",
    ],
    "in a try": [
      "function f() { try { return brave.ping() } catch { return 1 } }\nf()",
      "async function f() { try { return await brave.ping() } catch { return 1 } }\nawait f()",
    ],
    "its promise is used": [
      "const f = (x) => brave.ping()\nawait Promise.all([f(1), f(2)])",
      "const f = (x) => brave.ping()\nawait Promise.all([f(1), f(2)])",
    ],
    "its promises are used": [
      "const all = () => xs.map((x) => brave.ping())\nawait Promise.all(all())",
      "const all = () => xs.map((x) => brave.ping())\nawait Promise.all(all())",
    ],
    "an argument that is awaited": [
      "async function retry(f) { try { return await f() } catch { return await f() } }\n" +
      "retry(() => brave.ping())",
      "async function retry(f) { try { return await f() } catch { return await f() } }\n" +
      "retry(() => brave.ping())",
    ],
    "written to return a promise": [
      "function f(): Promise<any> { return brave.ping() }\nf()",
      "function f(): Promise<any> { return brave.ping() }\nf()",
    ],
    "its promise goes to a new one": [
      "new Promise((resolve) => setTimeout(() => resolve(brave.ping()), 1))",
      "new Promise((resolve) => setTimeout(() => resolve(brave.ping()), 1))",
    ],
    "goes where it is not seen": [
      "class A { load() { return brave.ping() } }\nemit(() => brave.ping())",
      "class A { load() { return brave.ping() } }\nemit(() => brave.ping())",
    ],
  }));

Deno.test("a command whose callback cannot wait is stopped, with the line to write", async (t) => {
  const rows: Record<string, [string, number, RegExp]> = {
    "sort": [
      "1\nxs.sort((a, b) => brave.search(a).n - brave.search(b).n)",
      2,
      /callback of sort .*`const found = new Map\(await Promise\.all\(xs\.map\(async \(a\) => \[a, \(await brave\.search\(a\)\)\.n\] as const\)\)\)` before it.*`found\.get\(a\)!`/,
    ],
    "replace": [
      "t.replace(/x/g, (m) => brave.search(m))",
      1,
      /`const found = await Promise\.all\(\[\.\.\.t\.matchAll\(\/x\/g\)\]\.map\(async \(\[m\]\) => await brave\.search\(m\)\)\)`/,
    ],
    "a function that goes elsewhere": [
      "emit(\n  (m) => brave.search(m).n)",
      2,
      /write `async \(m\) => \(await brave\.search\(m\)\)\.n\)`/,
    ],
    "a method": [
      "class A { n() { return brave.ping().n } }",
      1,
      /`.*class A \{ async n\(\) \{ return \(await brave\.ping\(\)\)\.n \} \}`/,
    ],
    "a getter": ["class A { get n() { return brave.ping().n } }", 1, /a get is synchronous/],
    "a generator": ["function* g() { yield brave.ping().n }", 1, /`.*async function\* g\(\)/],
    "a default": ["const f = (x = brave.ping().n) => x\nf()", 1, /await brave\.ping\(\)/],
    "a field": ["class A { n = brave.ping().n }", 1, /a field cannot wait/],
  };
  for (const [name, [command, line, message]] of Object.entries(rows)) {
    await t.step(name, () => {
      const { unknown } = source(`let xs: any, t: any, emit: any; ${command}`);
      match(unknown?.message ?? "", message);
      strictEqual(unknown?.code, "type_error");
      strictEqual(unknown?.line, line);
    });
  }
});

Deno.test("a tool call is awaited unless its promise is used", (t) =>
  table(t, {
    "statement": ["brave.ping()", "await brave.ping()"],
    "awaited": ["await brave.ping()", "await brave.ping()"],
    "awaited in brackets": ["await (brave.ping())", "await (brave.ping())"],
    "awaited with a type": ["await (brave.ping() as any)", "await (brave.ping() as any)"],
    "then": ["brave.ping().then(f)", "brave.ping().then(f)"],
    "catch": ["brave.ping().catch(f)", "brave.ping().catch(f)"],
    "finally": ["brave.ping()\n  .finally(f)", "brave.ping()\n .finally(f)"],
    "Promise.all": [
      "Promise.all([brave.ping(), f(brave.ping())])",
      "Promise.all([brave.ping(), f(brave.ping())])",
    ],
    "Promise.race": ["Promise.race([brave.ping()])", "Promise.race([brave.ping()])"],
    "Promise of one's own": [
      "const Promise = x\nPromise.all([brave.ping()])",
      "const Promise = x\nPromise.all([await brave.ping()])",
    ],
    "a member inside Promise.all": [
      "Promise.all(brave.ping().map(f))",
      "Promise.all((await brave.ping()).map(f))",
    ],
    "spread inside Promise.all": [
      "Promise.all([...brave.ping()])",
      "Promise.all([...await brave.ping()])",
    ],
    "async function inside Promise.all": [
      "Promise.all(xs.map(async (x) => { const r = brave.ping(); return r.a }))",
      "Promise.all(xs.map(async (x) => { const r = await brave.ping(); return r.a }))",
    ],
    "function": ["function f() { return brave.ping() }", "function f() { return brave.ping() }"],
    "callback": ["xs.map((x) => brave.ping())", "xs.map((x) => brave.ping())"],
    "async function": [
      "async function f() { return brave.ping() }",
      "async function f() { return await brave.ping() }",
    ],
    "parameter default": ["async (x = brave.ping()) => x", "async (x = brave.ping()) => x"],
    "class field": ["class A { x = brave.ping() }", "class A { x = brave.ping() }"],
    "namespace": [
      "namespace N { export const x = brave.ping() }",
      "namespace N { export const x = brave.ping() }",
    ],
    "member": ["brave.ping().items", "(await brave.ping()).items"],
    "index": ["brave.ping()[0]", "(await brave.ping())[0]"],
    "optional member": ["brave.ping()?.items", "(await brave.ping())?.items"],
    "call of the result": ["brave.ping()()", "(await brave.ping())()"],
    "power": ["brave.ping() ** 2", "(await brave.ping()) ** 2"],
    "sum": ["brave.ping() + 1", "await brave.ping() + 1"],
    "not": ["!brave.ping()", "!await brave.ping()"],
    "condition": ["if (brave.ping()) x", "if (await brave.ping()) x"],
    "non-null": ["brave.ping()!", "(await brave.ping())!"],
    "as": ["brave.ping() as any", "await brave.ping() as any"],
    "for of": ["for (const x of brave.ping()) x", "for (const x of await brave.ping()) x"],
    "for await of": [
      "for await (const x of brave.ping()) x",
      "for await (const x of await brave.ping()) x",
    ],
    "new line before": [
      "const a = f\nbrave.ping().items",
      "const a = f\n;(await brave.ping()).items",
    ],
    "body of an if": ["if (a)\n  brave.ping().items", "if (a)\n (await brave.ping()).items"],
    "alias": ["ws()", "await brave.web_search()"],
    "camelCase": ["brave.webSearch()", "await brave.webSearch()"],
    "tools": ["tools.brave.ping()", "await tools.brave.ping()"],
    "tools by text": ['tools["my-pack"]["do-it"]()', 'await tools["my-pack"]["do-it"]()'],
    "imported": [
      'import { tools as t } from "toolscript"\nt.brave.ping()',
      'import { tools as t } from "toolscript"\nawait t.brave.ping()',
    ],
    "through a constant": [
      "const b = tools.brave\nb.ping()",
      "const b = tools.brave\nawait b.ping()",
    ],
    "taken out": ["const { ping: p } = brave\np()", "const { ping: p } = brave\nawait p()"],
    "another thing's": [
      "const brave = { ping() {} }\nbrave.ping()",
      "const brave = { ping() {} }\nbrave.ping()",
    ],
    "another thing's within": [
      "function f(brave) { brave.ping() }\nbrave.ping()",
      "function f(brave) { brave.ping() }\nawait brave.ping()",
    ],
    "kept to be awaited together": [
      "const a = brave.ping(), b = brave.ping();\nawait Promise.all([a, b])",
      "const a = brave.ping(), b = brave.ping();\nawait Promise.all([a, b])",
    ],
    "kept and awaited later": [
      "const a = brave.ping();\nf();\n(await a).x",
      "const a = brave.ping();\nf();\n(await a).x",
    ],
    "kept in a list": [
      "const a = [brave.ping(), brave.ping()];\nawait Promise.all(a)",
      "const a = [brave.ping(), brave.ping()];\nawait Promise.all(a)",
    ],
    "kept and used as a value": [
      "const a = brave.ping();\nawait a;\na.x",
      "const a = await brave.ping();\nawait a;\na.x",
    ],
    "pushed": ["ps.push(brave.ping())", "ps.push(await brave.ping())"],
    "not called": ["xs.map(brave.ping)", "xs.map(brave.ping)"],
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

Deno.test("abbreviated parameter names become full names", (t) =>
  table(t, {
    "RUN-40 exact": ["brave.search(query=1)", "await brave.search({query:1})"],
    "RUN-41 a single match": ["brave.search(q=1)", "await brave.search({query:1})"],
    "RUN-42 the first of several": ["brave.news(q=1)", "await brave.news({query_info:1})"],
    "RUN-43 the only one": ["brave.news(qual=1)", "await brave.news({quality:1})"],
    "RUN-44 none": ["brave.search(xyz=1)", "await brave.search({xyz:1})"],
    "RUN-45 mixed": ["brave.search(query=1, c=5)", "await brave.search({query:1, count:5})"],
    "RUN-42 not one that is given": [
      "brave.news(query_info=1, q=2, qu=3)",
      "await brave.news({query_info:1, query:2, quality:3})",
    ],
    "RUN-42 exact before it": [
      "brave.news(q=2, query_info=1)",
      "await brave.news({query:2, query_info:1})",
    ],
    "RUN-41 in an object": [
      "brave.search({q: 1, c: 2})",
      "await brave.search({query: 1, count: 2})",
    ],
    "RUN-41 shorthand": ["brave.search({q})", "await brave.search({query: q})"],
    "RUN-41 in quotes": [
      'brave.search({"q": 1})',
      "await brave.search({query: 1})",
    ],
    "RUN-41 no identifier": ["brave.odd({user: 1})", 'await brave.odd({"user-id" : 1})'],
    "RUN-41 deeper keys stay": ["brave.search({q: {c: 1}})", "await brave.search({query: {c: 1}})"],
    "RUN-41 by alias": ["ws(q=1)", "await brave.web_search({query:1})"],
    "RUN-41 of a snippet": ["snippets.wsq(q=1)", "await snippets.wsq({q1:1})"],
    "RUN-41 behind a positional": [
      "brave.news(1, q=2)",
      "await brave.news({query_info: 1, query:2})",
    ],
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
