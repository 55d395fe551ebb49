/** Ways out through the module graph. */

import type { Attempt } from "./attempt.ts";

const entry = (imports: string): Record<string, string> => ({
  "main.js": `${imports}\nexport default async () => typeof x === "undefined" ? "loaded" : x;`,
});

const STATIC_IMPORTS: readonly Attempt[] = [
  ["text", 'import x from "file://CANARY.txt" with { type: "text" };'],
  ["bytes", 'import x from "file://CANARY.txt" with { type: "bytes" };'],
  ["json", 'import x from "file://CANARY.json" with { type: "json" };'],
  ["module", 'import x from "file://CANARY.ts";'],
  ["wasm", 'import * as x from "file://CANARY.wasm";'],
  ["syntax error", 'import x from "file://CANARY.txt";'],
  ["localhost authority", 'import x from "file://localhostCANARY.ts";'],
  ["upper case scheme", 'import x from "FILE://CANARY.ts";'],
  ["one slash", 'import x from "file:CANARY.ts";'],
  ["encoded", 'import x from "file:///%2e%2e/%2e%2eCANARY.ts";'],
  ["absolute path", 'import x from "CANARY.ts";'],
  ["climbing path", 'import x from "../../../../../../../..CANARY.ts";'],
  ["symlink", 'import x from "file://CANARY-link.ts";'],
  ["re-export", 'export * from "file://CANARY.ts"; import "file://CANARY.ts";'],
  ["npm", 'import x from "npm:is-number@7.0.0";'],
  ["jsr", 'import x from "jsr:@std/path";'],
  ["other host", 'import x from "OTHER/x.js";'],
  ["deno.land", 'import x from "https://deno.land/x.js";'],
  ["esm.sh", 'import x from "https://esm.sh/x";'],
  ["node:fs", 'import * as x from "node:fs";'],
  ["node:fs/promises", 'import * as x from "node:fs/promises";'],
  ["node:child_process", 'import * as x from "node:child_process";'],
  ["node:module", 'import * as x from "node:module";'],
  ["node:net", 'import * as x from "node:net";'],
  ["node:os", 'import * as x from "node:os";'],
  ["node:process", 'import * as x from "node:process";'],
  ["node:sqlite", 'import * as x from "node:sqlite";'],
  ["node:vm", 'import * as x from "node:vm";'],
  ["node:worker_threads", 'import * as x from "node:worker_threads";'],
  ["node:inspector", 'import * as x from "node:inspector";'],
  ["bare built-in", 'import * as x from "fs";'],
  ["ext: module", 'import * as x from "ext:core/ops";'],
  [
    "data: with a file inside",
    "import x from \"data:text/javascript,export {default} from 'file://CANARY.ts'\";",
  ],
  [
    "data: with text inside",
    `import x from "data:text/javascript,${
      encodeURIComponent('import x from "file://').replace("CANARY", "")
    }CANARY.txt${encodeURIComponent('" with { type: "text" }; export default x')}";`,
  ],
].map(([name, imports = ""]) => ({ name: `static import: ${name}`, program: entry(imports) }));

const SPECIFIERS = [
  "file://CANARY.ts",
  "file://CANARY.wasm",
  "npm:is-number@7.0.0",
  "jsr:@std/path",
  "OTHER/x.js",
  "https://deno.land/x.js",
  "node:fs",
  "node:child_process",
  "node:module",
  "node:wasi",
  "node:test",
  "ext:core/mod.js",
  "data:text/javascript,export * from 'file://CANARY.ts'",
  "data:text/javascript,export default await import('file://CANARY.ts')",
  "data:text/javascript,export * from 'node:fs'",
];

const DYNAMIC_IMPORTS: readonly Attempt[] = SPECIFIERS.flatMap((specifier) => {
  const text = JSON.stringify(specifier);
  return [
    { name: `literal import(): ${specifier}`, program: `return await import(${text})` },
    {
      name: `computed import(): ${specifier}`,
      program: `const s = ${text}; return await import(s)`,
    },
    {
      name: `import() in eval: ${specifier}`,
      program: `return await eval(${JSON.stringify(`import(${text})`)})`,
    },
  ];
});

const WITH_ATTRIBUTES: readonly Attempt[] = ["text", "bytes", "json"].map((type) => ({
  name: `literal import() as ${type}`,
  program: `return (await import("file://CANARY.${
    type === "json" ? "json" : "txt"
  }", { with: { type: "${type}" } })).default`,
}));

const ROUNDABOUT: readonly Attempt[] = [
  {
    name: "blob module with a file inside",
    program:
      `const u = URL.createObjectURL(new Blob(["export * from 'file://CANARY.ts'"], { type: "text/javascript" })); return await import(u)`,
  },
  {
    name: "worker",
    program: `new Worker("data:text/javascript,import 'file://CANARY.ts'", { type: "module" })`,
  },
  {
    name: "worker from a saved constructor",
    program: "return new (globalThis['Wor' + 'ker'])('data:,')",
  },
  {
    name: "import.meta.resolve",
    program: "return await (await fetch(import.meta.resolve('file://CANARY.txt'))).text()",
  },
  {
    name: "source map comment",
    program: "return 1\n//# sourceMappingURL=file://CANARY.json",
    harmless: true,
  },
  {
    name: "triple slash reference",
    program: {
      "main.ts": "",
      "main.js": '/// <reference types="file://CANARY.ts" />\nexport default () => 1;',
    },
    harmless: true,
  },
  {
    name: "JSX pragma",
    program: {
      "main.js": "import './a.ts'; export default () => 1;",
      "a.ts":
        '/** @jsxImportSource file://CANARY */\n// @deno-types="file://CANARY.ts"\nexport {};',
    },
    harmless: true,
  },
];

export const IMPORT_ATTEMPTS: readonly Attempt[] = [
  ...STATIC_IMPORTS,
  ...DYNAMIC_IMPORTS,
  ...WITH_ATTRIBUTES,
  ...ROUNDABOUT,
];
