/** Long arguments hide no short one from the person that is asked. */

import assert from "node:assert/strict";
import type { Args } from "#packs";
import { questionText } from "#runtime";

const OPTIONS = { scope: "everything", force: true };
const SHOWN = /"options": \{\n {2}\| {3}"scope": "everything"\n {2}\| {3}"force": true\n/;
const WORDS = "abc".repeat(15);

function rows(count: number, width = count): Args[] {
  const row = () => Array.from({ length: width }, (_, key) => [`k${key}`, WORDS]);
  return Array.from({ length: count }, () => Object.fromEntries(row()));
}

Deno.test("a long argument hides no short one", async (t) => {
  const cases: Record<string, readonly [args: Args, parts: readonly RegExp[]]> = {
    "a list of objects": [{ id: "notes", options: OPTIONS, items: rows(40) }, [
      /"id": "notes"/,
      SHOWN,
      /"items": \[ … \(40 items\) …/,
    ]],
    "a long text": [{ options: OPTIONS, text: "x".repeat(900_000) }, [SHOWN, /more characters/]],
    "many long arguments": [{
      ...Object.fromEntries(Array.from({ length: 29 }, (_, at) => [`pad${at}`, rows(20)])),
      options: OPTIONS,
    }, [SHOWN]],
    "a text of middle length": [{ note: `${"y".repeat(200)}!`, items: rows(40) }, [
      /y!"\n {2}\| "items"/,
    ]],
    "more short arguments than are shown beside long ones": [{
      ...Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`a${at}`, at])),
      items: rows(40),
    }, [/"a59": 59/]],
    "levels within one another": [
      { options: { a: { b: { c: { d: { e: OPTIONS } } } } }, items: rows(40) },
      [/"scope": "everything"\n/],
    ],
    "a list": [{ to: [["eve@example.com"]], items: rows(40) }, [/"eve@example\.com"/]],
    "within one argument": [{ all: { items: rows(12, 10), deep: { a: { b: { OPTIONS } } } } }, [
      /"all": \{\n {2}\| {3}"deep": \{[^]*"scope": "everything"[^]*"items"/,
    ]],
  };
  for (const [name, [args, parts]] of Object.entries(cases)) {
    await t.step(name, () => {
      const text = questionText({ tool: "shop.del", arguments: args });
      for (const part of parts) assert.match(text, part);
      assert.ok(text.length < 12_000, String(text.length));
    });
  }
});

Deno.test("many short arguments take a bounded room", () => {
  const small = Array.from({ length: 200 }, (_, at) => [`a${at}`, { text: WORDS.repeat(5) }]);
  const text = questionText({ tool: "shop.del", arguments: Object.fromEntries(small) });
  assert.match(text, /"a0": \{\n {2}\| {3}"text": "abc/);
  assert.match(text, /… \(170 more keys\) …/);
  assert.ok(text.length < 12_000, String(text.length));
});
