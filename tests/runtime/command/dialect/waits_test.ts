/** Calls of tools that a command waits for. */

import { match, strictEqual } from "node:assert/strict";
import { source } from "../read.ts";
import { table } from "./rows.ts";

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
    "lists that flatMap joins, returned": [
      "xs.flatMap((x) => brave.ping())",
      "await $inTurn(xs).flatMap(async (x) => await brave.ping())",
    ],
    "lists that flatMap joins, below what is returned": [
      "({ all: xs.map((x) => x.flatMap((y) => brave.ping())) })",
      "({ all: xs.map((x) => $inTurn(x).flatMap(async (y) => await brave.ping())) })",
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
