/** Ways out through what the runtime offers, and tampering with the loader's reports. */

import type { Attempt } from "./attempt.ts";

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
    ends: "crashed",
    program:
      "await fetch(Deno.env.get('TOOLSCRIPT_GATEWAY_URL') + '/value', { method: 'POST', body: '{' })",
  },
  {
    name: "value too deep for readers",
    ends: "crashed",
    program:
      "await fetch(Deno.env.get('TOOLSCRIPT_GATEWAY_URL') + '/value', { method: 'POST', body: '['.repeat(1e5) + ']'.repeat(1e5) })",
  },
  {
    name: "report that is no report",
    ends: "crashed",
    program:
      "await fetch(Deno.env.get('TOOLSCRIPT_GATEWAY_URL') + '/report', { method: 'POST', body: '{\"kind\":\"value\",\"value\":{}}' })",
  },
  {
    name: "endless body",
    ends: "output_limit",
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

export const CALL_ATTEMPTS: readonly Attempt[] = [...CALLS, ...TAMPERING];
