/** Arguments of tool calls: by keyword, by position, by a part of the name. */

import { table } from "./rows.ts";

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
