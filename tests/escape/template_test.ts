/** Templates are compiled to code by nunjucks, which joins some names into it as they are: no text
 * of a template becomes code. */

import assert from "node:assert/strict";
import { renderSafely } from "#packs/template";
import { openGateway } from "../support/gateway.ts";

const ATTACK = "(globalThis.PWNED = (globalThis.PWNED ?? 0) + 1)";
const TEMPLATES: Readonly<Record<string, string>> = {
  "the test of an `is`": `{{ 2 is 'odd").call(context, 2) || ${ATTACK} || env.getTest("odd' }}`,
  "the test of an `is not`": `{{ 2 is not 'odd").call(0, 2), ${ATTACK}, env.getTest("odd' }}`,
  "the test of an `is`, called": `{{ 2 is 'odd").call(0, 2), ${ATTACK}, env.getTest("odd'(1) }}`,
  "the test of an `is`, a lookup": `{{ 2 is o['odd").call(0), ${ATTACK}, env.getTest("odd'] }}`,
  "the second name of a loop": `{% for a, 'x", 1), ${ATTACK}, frame.set("y' in o %}{% endfor %}`,
  "the first name of a loop": `{% for 'x", 1), ${ATTACK}, frame.set("y', b in o %}{% endfor %}`,
  "the only name of a loop": `{% for 'x", 1), ${ATTACK}, frame.set("y' in o %}{% endfor %}`,
  "a name of a loop, a list": `{% for a, [1, 2] in o %}{% endfor %}`,
  "the name of a set": `{% set 'x", 1), ${ATTACK}, frame.set("y' = 1 %}`,
  "the second name of a set": `{% set a, 'x", 1), ${ATTACK}, frame.set("y' = 1 %}`,
  "the name of a call": `{{ o["\\"), ${ATTACK}, (\\""]() }}`,
  "the name of a call, a back-slash": `{{ o["\\\\\\"), ${ATTACK}, (\\\\\\""]() }}`,
  "the name of a call of a call": `{{ range(1)["\\\\\\"), ${ATTACK}, (\\\\\\""](1) }}`,
  "the name of a filter": `{{ o | "upper").call(), ${ATTACK}, env.getFilter("upper" }}`,
  "the name of a filter, dotted": `{{ o | upper.x }}`,
  "the key of a dictionary": `{{ { "a\\": ${ATTACK}, \\"b": 1 } }}`,
  "the key of an argument": `{{ range("a\\": ${ATTACK}, \\"b"=1) }}`,
  "a name": `{{ o", ${ATTACK}, " }}`,
  "a case": `{% switch 1 %}{% case '": ${ATTACK}; case "' %}{% endswitch %}`,
  "a text": `\\"; ${ATTACK}; "\u2028${"${"}${ATTACK}}`,
};
const HARMLESS: readonly (readonly [template: string, text: string])[] = [
  ["{{ 2 is even }} {{ 2 is not odd }} {{ 4 is divisibleby(2) }}", "true true true"],
  ["{{ none is none }} {{ 1 is number }} {{ 'a' is sameas('a') }}", "true true true"],
  ["{% for k, v in o %}{{ k }}{{ v }}{% endfor %}{% set a, b = 3 %}{{ a }}{{ b }}", "x133"],
];

function render(template: string): string {
  const values: Readonly<Record<string, unknown>> = { o: { x: 1 } };
  return renderSafely(template, {
    has: (name) => Object.hasOwn(values, name),
    lookup: (name) => values[name],
    insert: String,
    filters: {},
    kind: "templates",
  });
}

Deno.test("renderSafely() makes no code of a template's text", async (t) => {
  for (const [name, template] of Object.entries(TEMPLATES)) {
    await t.step(name, () => {
      try {
        render(template);
      } catch {
        // Most are refused; none may run.
      }
      const ran = Reflect.get(globalThis, "PWNED");
      Reflect.deleteProperty(globalThis, "PWNED");
      assert.equal(ran, undefined, template);
    });
  }
  for (const [template, text] of HARMLESS) {
    await t.step(template, () => assert.equal(render(template), text));
  }
});

Deno.test("renderSafely() calls no test that is no test of nunjucks", () => {
  for (
    const name of ["constructor", "__defineGetter__", "hasOwnProperty", "toString", "callable"]
  ) {
    assert.throws(() => render(`{{ "lookup" is ${name}(range) }}`), /unknown test/);
    assert.throws(() => render(`{{ "lookup" is ${name} }}`), /unknown test/);
  }
});

Deno.test("no template that an agent sends to text.render becomes code", async () => {
  await using gateway = await openGateway();
  const place = `${gateway.home}/escaped`;
  const write = `process.getBuiltinModule("node:fs").writeFileSync(${JSON.stringify(place)}, "1")`;
  for (const template of Object.values(TEMPLATES)) {
    const hostile = template.replaceAll(ATTACK, `(${write.replaceAll('"', "`")})`);
    const body = { template: hostile, values: { o: { x: 1 } } };
    await (await gateway.post("/tools/text__render", body)).body?.cancel();
  }
  await assert.rejects(Deno.stat(place), Deno.errors.NotFound);
});
