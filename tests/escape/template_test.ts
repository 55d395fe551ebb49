/** Templates are compiled to code by nunjucks, which joins some names into it as they are: no text
 * of a template becomes code. */

import assert from "node:assert/strict";
import { renderSafely } from "#packs/template";
import { withBuiltinPack } from "../support/builtin_pack.ts";
import { openGateway } from "../support/gateway.ts";
import { descendants } from "../support/processes.ts";

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

Deno.test("renderSafely() takes at most one argument of a test, which runs into no other", () => {
  const calls = '"", ["constructor"], ["constructor"], ("return 1"), ("x")';
  for (
    const template of [
      `{{ 9 is divisibleby(${calls}) }}`,
      `{{ 9 is not divisibleby(${calls}) }}`,
      '{{ 1 is eq("", ["constructor"]) }}',
      "{{ 1 is eq(1, (2)) }}",
      "{{ 1 is eq((1), a=2) }}",
      "{{ 1 is eq(a=2) }}",
      "{{ o | default(1 is eq(o, [0])) }}",
      "{% if 1 is ge(o, [0]) %}{% endif %}",
      "{% for a in [1 is le(o, [0])] %}{% endfor %}",
      "{% set a = 1 is sameas(o, [0]) %}",
      "{{ range(1 is gt(o, [0])) }}",
      "{{ 'x' if 1 is mapping(o, [0]) }}",
    ]
  ) assert.throws(() => render(template), /a test with several arguments/, template);
  assert.equal(
    render("{{ 4 is divisibleby(2) }} {{ 1 is eq([1, 2]) }} {{ 1 is odd() }}"),
    "true false true",
  );
});

Deno.test("no template that an agent sends to text.render becomes code", async () => {
  await using gateway = await openGateway();
  const place = `${gateway.home}/escaped`;
  const write = `process.getBuiltinModule("node:fs").writeFileSync(${JSON.stringify(place)}, "1")`;
  const templates = [
    ...Object.values(TEMPLATES),
    '{{ 1 is eq("", ["constructor"], ["constructor"], (code), ("x"), ("y")) }}',
  ];
  for (const template of templates) {
    const hostile = template.replaceAll(ATTACK, `(${write.replaceAll('"', "`")})`);
    const body = { template: hostile, values: { o: { x: 1 }, code: write } };
    await (await gateway.post("/tools/text__render", body)).body?.cancel();
  }
  await assert.rejects(Deno.stat(place), Deno.errors.NotFound);
});

Deno.test({
  name: "the process that renders templates may read no file",
  ignore: Deno.build.os !== "linux",
  fn: () =>
    withBuiltinPack({ name: "text", settings: { memory_mb: 131 } }, async ({ call, project }) => {
      /** Permissions of the pack's processes, one line for each; other tests have such processes too. */
      async function permissions(): Promise<string[]> {
        const commands = await Promise.all(
          (await descendants(Deno.pid)).map((pid) =>
            Deno.readTextFile(`/proc/${pid}/cmdline`).catch(() => "")
          ),
        );
        return commands.filter((text) => /-size=131\b.*text\/work\/worker\.ts/s.test(text))
          .map((text) => text.split("\0").filter((word) => word.startsWith("--allow")).join(" "));
      }
      await Deno.writeTextFile(`${project}/a.txt`, "abc");
      assert.equal(await call("render", { template: "{{ a }}", values: { a: 1 } }), "1");
      await call("hash", { text: "abc" });
      await call("match", { text: "abc", pattern: "b" });
      assert.deepEqual(await permissions(), ["--allow-env"]);
      await call("hash", { path: "a.txt" });
      assert.deepEqual((await permissions()).sort(), ["--allow-all", "--allow-env"]);
    }),
});
