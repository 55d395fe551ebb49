/** Modules of the program as JavaScript. */

import assert from "node:assert/strict";
import { toJavaScript } from "../../release/to_javascript.ts";

const options = {
  file: "packs/web/mod.ts",
  aliases: new Map([["#base", "base/mod.ts"], ["#packs", "packs/mod.ts"]]),
};

Deno.test("toJavaScript() makes every address of an own module one of JavaScript", () => {
  const rows = [
    ['import { a } from "./a.ts";', 'import { a } from "./a.js";'],
    ['import { type T, a } from "../a.ts";', '"../a.js"'],
    ['const load = () => import("./view.tsx");', 'import("./view.js")'],
    ['export * from "#base";', 'export * from "../../base/mod.js";'],
    ['const load = () => import("#packs");', 'import("../mod.js")'],
    ['new Worker(import.meta.resolve("./w.ts"));', 'import.meta.resolve("./w.js")'],
    ['new URL("./w.ts", import.meta.url);', 'new URL("./w.js", import.meta.url)'],
  ];
  for (const [text = "", code = ""] of rows) {
    assert.ok(toJavaScript(text, options).code.includes(code), text);
  }
});

Deno.test("toJavaScript() leaves files that are read, other files and npm packages alone", () => {
  const texts = [
    'Deno.readTextFileSync(new URL("./child.ts", import.meta.url));',
    'readFileSync(new URL("./proxy.ts", import.meta.url), "utf8");',
    'new URL("./watcher.sh", import.meta.url);',
    'new URL("../", import.meta.url);',
    'import { Hono } from "hono";',
    'const text = "./a.ts";',
  ];
  for (const text of texts) assert.equal(toJavaScript(text, options).code, text);
});

Deno.test("toJavaScript() names the packages that run, without those of types", () => {
  const text = `import { Hono } from "hono/tiny";
import { Client } from "@scope/client/stdio";
import type { Node } from "@babel/types";
import { join } from "node:path";`;
  assert.deepEqual(toJavaScript(text, options).packages, ["hono", "@scope/client"]);
});

Deno.test("toJavaScript() keeps lines and columns", () => {
  const text = "type A = string;\n\nexport function f(a: A): A {\n  return a;\n}\n";
  const { code } = toJavaScript(text, options);
  assert.equal(code.split("\n").length, text.split("\n").length);
  assert.equal(code.indexOf("return"), text.indexOf("return"));
});
