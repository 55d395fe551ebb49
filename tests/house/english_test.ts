/** The rules for the English of comments and names, on code that breaks each of them. */

import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import english from "../../lint/english.ts";

const FILE = fileURLToPath(new URL("../../packs/probe.ts", import.meta.url));

function messages(source: string, file = FILE): string[] {
  return Deno.lint.runPlugin(english, file, source).map(({ message }) => message);
}

Deno.test("a doc comment begins with a noun or a verb", () => {
  for (const first of ["What", "Whether", "Whoever", "That", "How"]) {
    const [message = ""] = messages(`/** ${first} it is. */\nexport const x = 1;\n`);
    assert.match(message, new RegExp(`not with "${first}"`));
  }
  assert.deepEqual(messages("/** Time until it ends. */\nexport const x = 1;\n"), []);
  assert.deepEqual(messages("// What a line says is free.\nexport const x = 1;\n"), []);
});

Deno.test("a comment uses the words of the glossary", () => {
  const words = [
    "nobody",
    "somebody",
    "whoever",
    "anew",
    "breathes",
    "is none",
    "can not",
    "sanitise",
  ];
  for (const word of words) {
    const [message = ""] = messages(`// It says ${word} here.\nexport const x = 1;\n`);
    assert.match(message, new RegExp(`^"${word}": write instead`), word);
  }
  assert.deepEqual(messages("// The word `anew` in code is quoted.\nexport const x = 1;\n"), []);
});

Deno.test("a variable is not named by a participle", () => {
  const sources = [
    "const found = 1;",
    "const { known } = x;",
    "const { a: given } = x;",
    "const [told = 1] = x;",
    "function f(said: string) {}",
    "function shown() {}",
    "const f = (asked: string) => asked;",
    "const f = (...shown: string[]) => shown;",
  ];
  for (const source of sources) assert.equal(messages(source).length, 1, source);
  assert.deepEqual(messages("const match = x.found;"), []);
});

Deno.test("the comment rules hold for the product, the names rule for tests too", () => {
  const file = fileURLToPath(new URL("../probe.ts", import.meta.url));
  assert.deepEqual(messages("/** What it is, anew. */\nconst match = 1;\n", file), []);
  assert.equal(messages("const found = 1;\n", file).length, 1);
});
