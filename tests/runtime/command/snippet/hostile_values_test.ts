import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import type { JsonValue } from "#base";
import { expandSnippet } from "../../../../runtime/command/snippet/expand_snippet.ts";
import { randomSource } from "../random.ts";

const HOSTILE = [
  '"',
  "'",
  "`",
  "\\",
  "\\\\",
  '\\"',
  "${1}",
  "${",
  "$",
  "{",
  "}",
  "{{ v }}",
  "{% raw %}",
  "#}",
  "\n",
  "\r\n",
  "\r",
  "\0",
  "\t",
  "\u2028",
  "\u2029",
  "\u0085",
  "\ufeff",
  "\ud800",
  "\udc00",
  "😀",
  "*/",
  "/*",
  "//",
  "</script>",
  "#!",
  "__proto__",
  "constructor",
  "__value0_",
  "__value1_",
  '"); evil(); ("',
  "'); evil(); ('",
  "`); evil(); (`",
  "\\u0022",
  "\\x22",
  "\\",
  "\\\n",
  "=",
  ")",
  "]",
  "await evil()",
  "evil``",
  "<!--",
  "-->",
  "\u202e",
  "e\u0301",
  "ﬃ",
  "0",
  "-1",
  "1e999",
  "True",
  "None",
  "null",
];

const BODIES = [
  'give("{{ v }}")',
  "give('{{ v }}')",
  "give(`{{ v }}`)",
  "give({{ v }})",
  "give(`${ {{ v }} }`)",
  "give(`a${'b{{ v }}c'}{{ v }}{d}`)",
  'give(query="x{{ v }}y", other={{ v }}) // {{ v }}',
  "/* {{ v }} */ give([{{ v }}, \"{{ v | upper }}\", '{{ v | safe }}'])",
  '{"a": "{{ v }}", "b": {{ v }}, "{{ v }}": 1}',
  "give(a ? {{ v }} : '{{ v }}')\nx = {{ v }}\n'{{ v }}'.length",
  "{% for x in [v, v] %}give('{{ x }}', {{ x }});\n{% endfor %}",
  "give(1 - {{ v }}, !{{ v }}, {{ v }}.length, `$\{{ v }}`, `{{ v }}{`)",
];

/** Runs an expanded snippet and gives what it handed to `give`, template objects left out. */
function argumentsOf(code: string): unknown[] {
  const values: unknown[] = [];
  const give = (...args: unknown[]) => void values.push(...args);
  const evil = () => {
    throw new Error("A value became code");
  };
  new Function("give", "evil", code)(give, evil);
  return values;
}

Deno.test("RUN-31 no value of a snippet becomes code", async (t) => {
  const random = randomSource(31);
  const values: JsonValue[] = [...HOSTILE];
  for (let at = 0; at < 150; at++) {
    values.push(
      Array.from({ length: 1 + random(6) }, () => HOSTILE[random(HOSTILE.length)]).join(""),
    );
  }
  for (const [at, body] of BODIES.entries()) {
    await t.step(`body ${at}: ${body}`, () => {
      for (const value of values) {
        const text = expandSnippet({ params: { v: {} }, body }, { v: value });
        // What is no plain JavaScript was compared with its own tree by the expansion itself.
        if (at < 5) deepStrictEqual(argumentsOf(text), [at === 4 ? String(value) : value], text);
        ok(!text.includes("\u2028") || at >= 5);
      }
    });
  }
});

Deno.test("RUN-31 values of every kind become literals outside quotes", () => {
  const random = randomSource(7);
  const make = (depth: number): JsonValue => {
    const kind = random(depth > 3 ? 5 : 7);
    if (kind === 0) return HOSTILE[random(HOSTILE.length)] ?? "";
    if (kind === 1) return random(2_000) - 1_000;
    if (kind === 2) return random(2) === 0;
    if (kind === 3) return null;
    if (kind === 4) return (random(1_000) - 500) / 7;
    if (kind === 5) return Array.from({ length: random(4) }, () => make(depth + 1));
    return Object.fromEntries(
      Array.from(
        { length: random(4) },
        () => [HOSTILE[random(HOSTILE.length)] ?? "", make(depth + 1)],
      ),
    );
  };
  for (let at = 0; at < 300; at++) {
    const value = make(0);
    const [back] = argumentsOf(
      expandSnippet({ params: { v: {} }, body: "give({{ v }})" }, { v: value }),
    );
    strictEqual(JSON.stringify(back), JSON.stringify(value));
  }
});
