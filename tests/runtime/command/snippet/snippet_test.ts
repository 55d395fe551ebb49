import { deepStrictEqual, match, strictEqual, throws } from "node:assert/strict";
import type { SnippetDefinition } from "../../../../runtime/command/types.ts";
import { SnippetError } from "../../../../runtime/command/snippet/expand_snippet.ts";
import { expandSnippet } from "../../../../runtime/command/snippet/expand_snippet.ts";
import { NameTable } from "../../../../runtime/command/names.ts";
import { NAMES } from "../names.ts";
import { finding, rewritten, source, squeezed } from "../read.ts";

function snippet(body: string, ...params: string[]): SnippetDefinition {
  return { params: Object.fromEntries(params.map((name) => [name, {}])), body };
}

Deno.test("RUN-31 a snippet call is replaced by its command", async (t) => {
  const expected = squeezed(
    'let a = await brave.search({query:"AI"})\nlet b = await brave.search({query:"ML"});\n' +
      "`Compare: ${a} ${b}`",
  );
  const rows = [
    "$wsq q1=AI q2=ML p=Compare",
    "$wsq q1=\"AI\" q2='ML'",
    "  $wsq\n  q1=AI\n  q2=ML\n",
    "$wsq\nq1: AI\nq2: ML",
    "```\n$wsq q1=AI q2=ML\n```",
    "`$wsq q1=AI q2=ML`",
  ];
  for (const text of rows) {
    await t.step(JSON.stringify(text), () => strictEqual(rewritten(text), expected));
  }
  await t.step("several, one behind the other", () => {
    const { module, map } = source("$wsq q1=1 q2=2\n\n$wsq q1=3 q2=4 p=x");
    match(module.text, /"1"[^]*2\}[^]*"3"[^]*`x: /);
    deepStrictEqual(map.lines?.map(({ line }) => line), [1, 1, 1, 3, 3, 3]);
  });
});

Deno.test("RUN-31 an error in the arguments of a snippet lists its parameters", async (t) => {
  const rows: [string, RegExp][] = [
    [
      "$wsq q1=AI",
      /"\$wsq": missing "q2": parameters: q1 \(required\), q2 \(required\): the other, p = "Compare"/,
    ],
    ["$wsq q1=AI q2=ML zz=1", /no parameter "zz": parameters: q1/],
    ["$wsq AI ML", /"AI ML" is not key=value: parameters: q1/],
    ['$wsq q1="AI q2=ML', /is not key=value/],
    ["$nope a=1", /"\$nope": no such snippet: available: wsq/],
    ["$nope", /no such snippet/],
    ["\n\n $wsq q1=AI", /missing "q2"/],
  ];
  for (const [text, message] of rows) {
    await t.step(JSON.stringify(text), () => {
      const result = finding(text);
      strictEqual(result.code, "syntax_error");
      match(result.message, message);
      strictEqual(result.line, text.startsWith("\n") ? 3 : 1);
    });
  }
});

Deno.test("names that begin with $ are not snippet calls in TypeScript", async (t) => {
  for (const text of ["$x = 5", "$x.y()", "$(1)", "const $x = 1; $x", "$wsq = 1", "$ + 1"]) {
    await t.step(text, () => strictEqual(source(text).map.lines, null));
  }
});

Deno.test("RUN-31 an error in an expanded snippet has the place of its call", () => {
  const names = { ...NAMES, snippets: { bad: snippet("f(1)\nconst x = ;\n{{ q }}", "q") } };
  const table = new NameTable({ ...names, snippets: { bad: snippet("1\n2\nnope.x()") } });
  const { unknown } = source("\n  $bad", table);
  deepStrictEqual([unknown?.line, unknown?.column], [2, 3]);
  const broken = finding("\n $bad q=1", new NameTable(names));
  deepStrictEqual([broken.line, broken.column], [2, 2]);
  match(broken.message, /gives an invalid command: line 2 of it/);
});

Deno.test("expandSnippet() inserts values as string content or as literals", async (t) => {
  const rows: [string, string, Record<string, never> | Record<string, unknown>, string][] = [
    ["quotes", 'f("{{ v }}")', { v: "a" }, 'f("a")'],
    ["no quotes", "f({{ v }})", { v: "a" }, 'f("a")'],
    ["number", "f({{ v }}, '{{ v }}')", { v: 5 }, "f(5, '5')"],
    ["negative number", "x-{{ v }}", { v: -5 }, "x-(-5)"],
    ["true", "f(fresh={{ v }})", { v: true }, "f(fresh=true)"],
    ["null", "f({{ v }}, '{{ v }}')", { v: null }, "f(null, '')"],
    ["list", "f({{ v }})", { v: ["a", 1] }, 'f(["a",1])'],
    ["object", "f({{ v }})", { v: { a: { __proto__x: 1 } } }, "f(({a:{__proto__x:1}}))"],
    ["object in quotes", "f('{{ v }}')", { v: { a: "'" } }, 'f(\'{"a":"\\\'"}\')'],
    ["two in one string", '"{{ v }}{{ v }} {{ v }}"', { v: "a" }, '"aa a"'],
    ["filter", '"{{ v | upper }}"', { v: "a'b\"" }, '"A\'B\\""'],
    ["filter chain", '"{{ v | trim | replace("a", "b") }}"', { v: " a " }, '"b"'],
    ["safe is nothing special", '"{{ v | safe }}"', { v: '"' }, '"\\""'],
    ["dump in code", "f({{ v | dump }})", { v: ["a"] }, 'f(["a"])'],
    ["dump in quotes", "'{{ v | dump }}'", { v: ["a'"] }, "'[\"a\\'\"]'"],
    ["inline if", "f({{ v if v else 1 }})", { v: "a" }, 'f("a")'],
    ["if", "{% if v %}f('{{ v }}'){% else %}g(){% endif %}", { v: "a" }, "f('a')"],
    ["for", "[{% for x in v %}{{ x }}, {% endfor %}]", { v: ["a", 2] }, '["a", 2, ]'],
    ["set", "{% set x = v ~ '!' %}f('{{ x }}')", { v: "a" }, "f('a!')"],
    ["member", "f('{{ v.a.b }}{{ v.a['c'] }}')", { v: { a: { b: "x" } } }, "f('x')"],
    ["index", "f('{{ v[1] }}')", { v: ["a", "b"] }, "f('b')"],
    ["raw", "'{% raw %}{{ v }}{% endraw %}{{ v }}'", { v: "a" }, "'{{ v }}a'"],
    ["template comment", "1{# {{ v }} #}", { v: "a" }, "1"],
    ["comment", "1 // {{ v }}\n/* {{ v }} */", { v: "a*/b\nc" }, "1 // a  b c\n/* a  b c */"],
    ["values that are templates", "'{{ v }}'", { v: "{{ x }}{% y %}" }, "'{{ x }}{% y %}'"],
    ["back-tick", "`{{ v }}`", { v: "`${a}" }, "`\\`\\$\\{a}`"],
    ["dollar before", "`${{ v }}`", { v: "{a}" }, "`$\\{a}`"],
    ["brace behind", "`{{ v }}{a}`", { v: "$" }, "`\\${a}`"],
    ["within a substitution", "`${f({{ v }})}`", { v: "a" }, '`${f("a")}`'],
    ["quotes within a template", "`${f('{{ v }}')}`", { v: "`'" }, "`${f('`\\'')}`"],
    ["object as a statement", '{"a": "{{ v }}"}', { v: "x" }, '({"a": "x"})'],
    ["range", "[{% for i in range(3) %}{{ i }},{% endfor %}]", { v: 1 }, "[0,1,2,]"],
    ["range with bounds", "f({{ range(1, 7, 2) | join('+') }})", { v: 1 }, 'f("1+3+5")'],
    ["range downwards", "[{% for i in range(2, 0, -1) %}'{{ v }}{{ i }}',{% endfor %}]", {
      v: "`",
    }, "['`2','`1',]"],
    ["a parameter named as a global", "f({{ range }})", { range: "a" }, 'f("a")'],
    [
      "cycler",
      "{% set c = cycler('a', v) %}[{% for i in range(3) %}'{{ c.next() }}',{% endfor %}]",
      {
        v: "'b",
      },
      "['a','\\'b','a',]",
    ],
    ["joiner", "{% set c = joiner('-') %}'{% for i in range(3) %}{{ c() }}{{ i }}{% endfor %}'", {
      v: 1,
    }, "'0-1-2'"],
    ["switch", "{% switch v %}{% case 1 %}one{% default %}many{% endswitch %}", { v: 1 }, "one"],
    ["escape", "'{{ v | e }}'", { v: "<'>" }, "'&lt;&#39;&gt;'"],
    ["dictsort", "'{% for k, x in v | dictsort %}{{ k }}{{ x }}{% endfor %}'", {
      v: { b: 1, a: 2 },
    }, "'a2b1'"],
    ["sort", "[{% for x in v | sort %}{{ x }},{% endfor %}]", { v: [2, 1] }, "[1,2,]"],
    ["groupby", "'{% for k, x in v | groupby('a') %}{{ k }}{{ x | length }}{% endfor %}'", {
      v: [{ a: "x" }, { a: "x" }, { a: "y" }],
    }, "'x2y1'"],
    ["a name like the marks", "'__value0_{{ v }}'", { v: "a" }, "'__value0_a'"],
  ];
  for (const [name, body, values, expected] of rows) {
    await t.step(name, () => {
      strictEqual(expandSnippet(snippet(body, ...Object.keys(values)), values as never), expected);
    });
  }
});

Deno.test("expandSnippet() completes, converts and checks arguments", async (t) => {
  const typed = (type: string, value: unknown) =>
    expandSnippet({ params: { v: { type: type as "string" } }, body: "f({{ v }})" }, {
      v: value as never,
    });
  await t.step("defaults", () => {
    const definition = {
      params: { a: { default: "x" }, b: { default: null } },
      body: "f({{ a }}, {{ b }})",
    };
    strictEqual(expandSnippet(definition, {}), 'f("x", null)');
  });
  await t.step("types", () => {
    strictEqual(typed("string", 5), 'f("5")');
    strictEqual(typed("number", "1.50"), "f(1.5)");
    strictEqual(typed("integer", "7"), "f(7)");
    strictEqual(typed("boolean", "True"), "f(true)");
    strictEqual(typed("array", '["a"]'), 'f(["a"])');
    strictEqual(typed("object", '{"__proto__": 1}'), 'f(({["__proto__"]:1}))');
  });
  await t.step("a value of another type is an error", () => {
    for (
      const [type, value] of [["number", "x"], ["integer", 1.5], ["boolean", "x"], ["array", "x"], [
        "object",
        "[]",
      ], ["string", []]] as const
    ) {
      throws(() => typed(type, value), /"v" is not of type .*: parameters: v/);
    }
  });
  await t.step("abbreviated", () => {
    strictEqual(expandSnippet(snippet("f({{ query }})", "query"), { q: 1 }), "f(1)");
  });
});

Deno.test("expandSnippet() refuses templates that do more than insert values", async (t) => {
  const rows: [string, RegExp][] = [
    ['{{ v.constructor("x") }}', /calls "v\["constructor"\]"/],
    ['{{ v["constructor"]["constructor"]("return 1")() }}', /no plain name/],
    ['{{ range.constructor("return 1")() }}', /no plain name/],
    ['{{ range["constructor"]("return 1") }}', /calls/],
    ["{{ range.call(range, 3) }}", /calls/],
    ['{{ range["\\\\"+(globalThis.PWNED=1)+\\\\""](1) }}', /no plain name|expected/],
    ['{{ v["\\\\", (globalThis.PWNED=1), \\\\""](1) }}', /no plain name|expected/],
    ["{{ (range)(3)(1) }}", /no plain name/],
    ["{{ v(1) }}", /calls "v"/],
    ["{{ cycler(1).constructor('x') }}", /no plain name/],
    ["{% set c = cycler(range) %}{{ c.next()(3) }}", /no plain name/],
    ["{% set c = cycler(v) %}{{ c.hasOwnProperty('a') }}", /calls/],
    ["{{ range(1000000000) }}", /more than 10000/],
    ["{{ range(0, 1, 0) }}", /without whole numbers/],
    ["{{ range(0.5) }}", /without whole numbers/],
    ["{{ range(stop=3) }}", /without whole numbers/],
    ["{{ range(v) }}", /without whole numbers/],
    ["{% for a in range(9999) %}{% for b in range(9999) %}{% endfor %}{% endfor %}", /turns/],
    ["{% for a in range(9999) %}{{ v }}{{ v }}{% endfor %}", /more than 10000 values/],
    ["{% set a = 'x' %}{% for b in range(26) %}{% set a = a ~ a %}{% endfor %}'{{ a }}'", /./],
    ["{{ v | select }}", /filter "select"/],
    ["{% macro m() %}{% endmacro %}", /Macro/],
    ['{% include "x" %}', /Include/],
    ['{% import "x" as y %}', /Import/],
    ['{% extends "x" %}', /Extends/],
    ["{% set x %}{{ v }}{% endset %}", /a block that is set/],
    ["{% filter upper %}x{% endfilter %}", /Capture|CallExtension|uses/],
    ["{% block b %}{% endblock %}", /Block/],
    ['{{ v";globalThis.PWNED=1;" }}', /snippet|the name|Unexpected|unexpected|expected/i],
    ['{{ v";Function`globalThis.PWNED=1```;" }}', /the name|expected/],
    ['{{ v"x }}', /the name/],
    ["{{ r/a/ }}", /regular expression/],
    ["{{ other }}", /"other", which is not one of its parameters/],
    ["{{ v", /./],
    ["{% if %}", /./],
    ["{{ v }}(1)", /./],
    ["{{ v }} = 1", /code|command/],
    ["const {{ v }} = 1", /code|command/],
    ["a.{{ v }}", /where a name is required/],
    ["({ {{ v }}: 1 })", /where a name is required/],
    ["({ {{ v }} })", /./],
    ["f({{ v }}=1)", /./],
    ["x as {{ v }}", /code/],
    ["f({{ v }}{{ v }})", /where a name is required/],
    ["pre{{ v }}", /where a name is required/],
    ["{{ v }}post", /where a name is required/],
    ["/{{ v }}/", /regular expression/],
    ['"\\{{ v }}"', /behind a back-slash/],
    ["`\\\\\\{{ v }}`", /behind a back-slash/],
    ["break {{ v }}", /./],
    ["#!{{ v }}\n1", /./],
    ["{{ v }}: for (;;) break", /./],
    ["{{ v }} => 1", /./],
    ["class {{ v }} {}", /./],
    ['import { a } from "{{ v }}"; import { {{ v }} } from "x"', /./],
    ["//{{ v }}\n\u2028", /./],
  ];
  for (const [body, message] of rows) {
    await t.step(body, () => {
      let expanded: string;
      try {
        expanded = expandSnippet(snippet(body, "v"), { v: "globalThis.PWNED=1" });
      } catch (error) {
        if (!(error instanceof SnippetError)) throw error;
        match(error.message, message);
        return;
      }
      // What is taken holds the value as text, or as the comment that it stood in.
      match(expanded, /^"globalThis.PWNED=1"|^#!|^\/\/globalThis/);
    });
  }
  strictEqual("PWNED" in globalThis, false);
});
