import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { authorPlace } from "../../../runtime/command/map.ts";
import { explain } from "../../../runtime/command/translate.ts";
import { checkedPlace, checkedText } from "./checked_text.ts";
import { source } from "./read.ts";

/** Commands in which the word `here` keeps its place. */
const COMMANDS = [
  "here",
  "brave.search(query=here)",
  'brave.search("x", c=here, f=True)',
  "r = brave.search(q=1); here",
  '{"a": here, "b": ot.health()}',
  'x = 1\n{"a": x, "b": here}',
  "ws(1).items.map(here)",
  'p = proj.onetool / "a" / here',
  "brave.ping(); brave.ping().a; here",
  "a = brave.ping()\n[a, here]",
  "   \tbrave.search({q: 1}); brave.search({q: here})",
  "```ts\nbrave.search(q=1)\n  here\n```",
  "`brave.search(query=here)`",
  '\ufeffbrave.search("a"); here',
  "brave.search('a',\r\n  c=5); here",
  "{a: ot.health()}\n{b: here}",
  "brave.odd(default=1, here)".replace(", here", ", user=here"),
  'const __format__ = "yml"; here',
  "for (const q of xs) brave.search(q); here",
  "({ws, True}); here",
  "gone(); here",
];

Deno.test("every place maps to the author's", async (t) => {
  for (const command of COMMANDS) {
    await t.step(JSON.stringify(command), () => {
      const plain = command.replace("\ufeff", "");
      const expected = placeOf(plain, plain.indexOf("here"));
      const read = source(command);
      const { text } = read.module;
      deepStrictEqual(authorPlace(read.map, placeOf(text, text.lastIndexOf("here"))), expected);
      const checked = checkedText(read);
      deepStrictEqual(checkedPlace(read, placeOf(checked, checked.lastIndexOf("here"))), expected);
      strictEqual(text.split(/\r\n|\n/).length, plain.split(/\r\n|\n/).length);
    });
  }
});

Deno.test("inserted text maps to the place after it", () => {
  const read = source("x; brave.search(1)");
  const { text } = read.module;
  deepStrictEqual(authorPlace(read.map, placeOf(text, text.indexOf("await"))), {
    line: 1,
    column: 4,
  });
  deepStrictEqual(authorPlace(read.map, placeOf(text, text.indexOf("query"))), {
    line: 1,
    column: 17,
  });
  deepStrictEqual(checkedPlace(read, { line: 1, column: 3 }), { line: 1, column: 1 });
});

Deno.test("explain() shows the rewritten command", () => {
  const command = '```python\nr = brave.search(query="x", fresh=True)\nr\n```';
  strictEqual(
    explain(source(command)),
    'import {tools} from "toolscript";\nconst brave=tools.brave;\n' +
      'let r = await brave.search({query:"x", fresh:true})\nr',
  );
  strictEqual(explain(source("1 + 1")), "1 + 1");
});

function placeOf(text: string, offset: number): { line: number; column: number } {
  const lines = text.slice(0, offset).split(/\r\n|[\n\r]/);
  return { line: lines.length, column: (lines.at(-1) ?? "").length + 1 };
}
