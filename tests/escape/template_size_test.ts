/** A short template, or a parameter of one, that would fill the memory. */

import assert from "node:assert/strict";
import { renderSafely, TemplateError } from "#packs/template";
import { renderTemplate } from "../../runtime/command/snippet/render_template.ts";

const LONG = "x".repeat(20_000);
const DOUBLED = "{% for i in range(30) %}{% set a = a ~ a %}{% endfor %}";

const HUGE: Readonly<Record<string, readonly [template: string, values: Record<string, unknown>]>> =
  {
    "center, a number": ["{{ q | center(n) }}", { q: "a", n: 400_000_000 }],
    "center, a text": ["{{ q | center(n) }}", { q: "a", n: "400000000" }],
    "center, a list": ["{{ q | center(n) }}", { q: "a", n: [400_000_000] }],
    "indent": ["{{ q | indent(n) }}", { q: "a\nb", n: 100_000_000 }],
    "indent of many lines": ["{{ q | indent(90000) }}", { q: "\n".repeat(100_000) }],
    "batch": ["{{ [1] | batch(n, 'x') }}", { n: 30_000_000 }],
    "slice": ["{{ [1] | slice(n) }}", { n: Infinity }],
    "join": ["{{ range(10000) | join(q) | length }}", { q: LONG }],
    "join of long items": ["{{ [q, q, q] | join | length }}", { q: LONG.repeat(300) }],
    "replace of nothing": ["{{ q | replace('', q) | length }}", { q: LONG }],
    "replace of a letter": ["{{ q | replace('x', q) | length }}", { q: LONG }],
    "a doubled text": [`{% set a = q %}${DOUBLED}{{ a | upper | length }}`, { q: "abcdefgh" }],
    "a doubled text, compared": [`{% set a = q %}${DOUBLED}{{ a == q }}`, { q: "abcdefgh" }],
    "a doubled list": [
      "{% set a = [q] %}{% for i in range(40) %}{% set a = [a, a] %}{% endfor %}{{ a | length }}",
      { q: "a" },
    ],
  };

const USUAL: readonly (readonly [template: string, text: string])[] = [
  [
    "{{ 'a' | center(5) }}|{{ 'a\nb' | indent(2) }}|{{ 'a\nb' | indent(2, true) }}",
    "  a  |a\n  b|  a\n  b",
  ],
  ["{{ [1, 2, 3] | batch(2, 0) | length }}{{ [1, 2, 3] | slice(2) | length }}", "22"],
  ["{{ [1, [2, 3]] | join('-') }}{{ 'aXbX' | replace('X', '..') }}", "1-2,3a..b.."],
  [
    "{% set a = 'x' %}{% for i in range(3) %}{% set a = a ~ a %}{{ a }} {% endfor %}",
    "xx xxxx xxxxxxxx ",
  ],
];

function render(template: string, values: Readonly<Record<string, unknown>> = {}): string {
  return renderSafely(template, {
    has: (name) => Object.hasOwn(values, name),
    lookup: (name) => values[name],
    insert: String,
    filters: {},
    kind: "templates",
  });
}

Deno.test("a filter, and a variable, has a limit", async (t) => {
  for (const [name, [template, values]] of Object.entries(HUGE)) {
    await t.step(name, () => {
      assert.throws(() => render(template, values), {
        name: TemplateError.name,
        message: /more than/,
      });
    });
  }
});

Deno.test("usual templates are rendered as before", () => {
  for (const [template, text] of USUAL) assert.equal(render(template), text);
});

Deno.test("a snippet inserts no list that holds itself many times over", () => {
  const sets = "{% set a = [a, a] %}".repeat(22);
  for (const end of ["{{ a }}", "{{ a | dump }}", "{{ a | tojson }}"]) {
    const snippet = `{% set a = [] %}${sets}${end}`;
    assert.throws(() => renderTemplate(snippet, {}), { message: /more than/ });
  }
});
