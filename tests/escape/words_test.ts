/** Programs that say the loader's words themselves, or want to see how it says them. */

import { deepEqual, equal, ok } from "node:assert/strict";
import type { SandboxCall } from "#sandbox";
import { createHost } from "../sandbox/host.ts";

/** Keeps whatever passes through the built-ins that a loader may use, then calls a tool, reads its
 * input and gives what it has seen of a control word. */
const SPY = `
  const seen = [];
  const search = (value, depth) => {
    if (depth > 2) return;
    if (typeof value === "string") { if (/^\\0[\\w-]{20}/.test0(value)) seen.push0(value.slice0(0, 40)); }
    else if (value instanceof Uint8Array) {
      let text = "";
      for (let at = 0; at < 40 && at < value.length; at++) text += String.fromCharCode0(value[at]);
      search(text, depth + 1);
    } else if (typeof value === "function" && value.length <= 1 && !value.isSpy) {
      try { search(value("ready"), depth + 1); } catch {}
    }
  };
  RegExp.prototype.test0 = RegExp.prototype.test;
  Array.prototype.push0 = Array.prototype.push;
  String.prototype.slice0 = String.prototype.slice;
  String.fromCharCode0 = String.fromCharCode;
  const { apply, ownKeys, getOwnPropertyDescriptor, defineProperty, getPrototypeOf } = Reflect;
  let isBusy = false;
  const spy = (method) => function (...args) {
    if (isBusy) return apply(method, this, args);
    isBusy = true;
    try { search(this, 0); for (let at = 0; at < args.length; at++) search(args[at], 0); }
    finally { isBusy = false; }
    const result = apply(method, this, args);
    isBusy = true;
    try { search(result, 0); } finally { isBusy = false; }
    return result;
  };
  const TypedArray = getPrototypeOf(Uint8Array);
  const owners = [Array.prototype, String.prototype, TypedArray.prototype, Map.prototype,
    Set.prototype, Promise.prototype, TextEncoder.prototype, TextDecoder.prototype,
    RegExp.prototype, Uint8Array.prototype, getPrototypeOf(Deno.stdout), getPrototypeOf(Deno.stderr),
    JSON, Object, Reflect];
  for (const owner of owners) {
    for (const key of ownKeys(owner)) {
      if (key === "constructor" || /0$/.test0(String(key))) continue;
      const { value, get, configurable } = getOwnPropertyDescriptor(owner, key);
      if (!configurable) continue;
      if (typeof value === "function") defineProperty(owner, key, { value: spy(value), writable: true, configurable: true });
      else if (get) defineProperty(owner, key, { get: spy(get), configurable: true });
    }
  }
  class Spied extends Uint8Array {
    constructor(...args) { super(...args); search(this, 0); }
  }
  defineProperty(TypedArray, Symbol.species, { get: () => Spied });
  defineProperty(Object.prototype, "then", { get() { return undefined; }, configurable: true });
  defineProperty(Array.prototype, "0", { set(value) { if (!isBusy) search(value, 0); defineProperty(this, "0", { value, writable: true, enumerable: true, configurable: true }); }, configurable: true });
`;

Deno.test("no built-in that a program patches receives a control message", async () => {
  await using host = createHost();
  const program = `${SPY}
    const answers = [await toolscript.tools.test.echo(1), await toolscript.tools.test.echo(2)];
    const chunk = new Uint8Array(8);
    const count = await Deno.stdin.read(chunk);
    return { seen, answers, count };`;
  const stdin = () => Promise.resolve(new TextEncoder().encode("input"));
  const { outcome } = await host.run(program, { stdin });
  deepEqual(outcome, { kind: "value", value: { seen: [], answers: [1, 2], count: 5 } });
});

Deno.test("a spy on built-ins would see a message that is built with them", async () => {
  await using host = createHost();
  const { outcome } = await host.run(`${SPY}
    ["\\0", "a".repeat(22), "ready"].join("");
    return Object.keys(seen).length > 0;`);
  deepEqual(outcome, { kind: "value", value: true });
});

Deno.test("calls work where prototypes are patched", async (t) => {
  await using host = createHost();
  const patches = {
    "join and map": "Array.prototype.join = () => 'x'; Array.prototype.map = () => [];",
    "iterators": "Array.prototype[Symbol.iterator] = () => ({ next: () => ({ done: true }) });",
    "bytes": "Object.getPrototypeOf(Uint8Array).prototype.subarray = () => new Uint8Array(3);" +
      "Object.getPrototypeOf(Uint8Array).prototype.set = () => {};",
    "length": "Object.defineProperty(Object.getPrototypeOf(Uint8Array).prototype, 'length'," +
      "{ get: () => 1 });",
    "maps": "Map.prototype.get = () => undefined; Map.prototype.has = () => false;",
    "texts": "String.prototype.split = () => []; String.prototype.slice = () => 'x';",
    "fields": "Object.defineProperty(Object.prototype, 'status', { set() {}, get: () => 500 });",
  };
  for (const [name, patch] of Object.entries(patches)) {
    await t.step(name, async () => {
      const { outcome } = await host.run(`${patch}\nreturn await toolscript.tools.test.echo(7);`);
      deepEqual(outcome, { kind: "value", value: 7 });
    });
  }
});

/** Says words with a nonce that a program may have got hold of: the test gives it. */
const SAY = `
  const bytes = new TextEncoder();
  const say = (text) => {
    let rest = bytes.encode(text);
    while (rest.length > 0) rest = rest.subarray(Deno.stdout.writeSync(rest));
  };
`;

const FOREVER = "const forever = new Promise(() => setTimeout(() => {}, 1e6));";

interface Forged {
  readonly name: string;
  /** With \`word\` for what carries a word. */
  readonly program: string;
  readonly calls?: number;
}

const FORGED: readonly Forged[] = [
  { name: "loader", program: "say(word('loader').repeat(60_000)); await forever;" },
  { name: "stdin", program: "say(word('stdin').repeat(60_000)); await forever;" },
  { name: "ready", program: "say(word('ready').repeat(60_000)); await forever;" },
  { name: "nothing at all", program: "say(word('').repeat(60_000)); await forever;" },
  { name: "exits", program: "say(word('exit 1').repeat(60_000)); await forever;" },
  {
    name: "long words of no meaning",
    program:
      "const long = word('x'.repeat(1e6)); for (let n = 0; n < 100; n++) say(long); await forever;",
  },
  {
    name: "calls with ids of any length",
    program: "say(word('call ' + '1'.repeat(1000) + '@ a {}').repeat(100)); await forever;",
  },
];

Deno.test("a flood of forged messages ends the run without a response", async (t) => {
  let loaders = 0;
  await using host = createHost({ pool: 0, onPreload: () => loaders++ });
  for (const { name, program } of FORGED) {
    await t.step(name, async () => {
      loaders = 0;
      let inputs = 0;
      const { outcome } = await forge(host, program, {
        stdin: () => {
          inputs++;
          return Promise.resolve(new Uint8Array(100_000));
        },
      });
      equal(outcome.kind, "crashed", JSON.stringify(outcome));
      ok(JSON.stringify(outcome).includes("control words"), JSON.stringify(outcome));
      ok(inputs <= 1, `${inputs} times asked for input`);
      equal(loaders, 1);
    });
  }
});

Deno.test("forged calls are bounded during the type check", async () => {
  await using host = createHost({ pool: 0 });
  let most = 0;
  let held = 0;
  const onCall = async ({ body }: SandboxCall) => {
    held += body.length;
    most = Math.max(most, held);
    return await new Promise<never>(() => {});
  };
  const checked = Promise.withResolvers<void>();
  const running = forge(
    host,
    "const body = 'x'.repeat(4e6); for (let n = 1; n < 60; n++) say(word('call ' + n + '@ a ' + body)); await forever;",
    { onCall, ready: checked.promise },
  );
  // The process is ended before the type check has a result.
  setTimeout(() => checked.resolve(), 3_000);
  const { outcome } = await running;
  equal(outcome.kind, "crashed", JSON.stringify(outcome));
  ok(most <= 64 * 2 ** 20, `${most} characters were kept`);
});

Deno.test("input is sent once, whoever asks for it", async () => {
  await using host = createHost({ pool: 0 });
  const program = `
    say(word("stdin") + word("stdin") + word("stdin"));
    const chunk = new Uint8Array(20);
    const count = await Deno.stdin.read(chunk);
    return new TextDecoder().decode(chunk.subarray(0, count));`;
  let inputs = 0;
  const { outcome } = await forge(host, program, {
    stdin: () => Promise.resolve(new TextEncoder().encode(`input ${++inputs}`)),
  });
  equal(inputs, 1);
  deepEqual(outcome, { kind: "value", value: "input 1" });
});

type Host = ReturnType<typeof createHost>;
type Options = NonNullable<Parameters<Host["run"]>[1]>;

/** A nonce of zeros. */
const NONCE = "A".repeat(22);

/** Runs a program that has the nonce of its own process, as one that got hold of it. */
async function forge(host: Host, program: string, options: Options) {
  const { getRandomValues } = crypto;
  crypto.getRandomValues = (bytes) => {
    getRandomValues.call(crypto, bytes as never);
    return bytes instanceof Uint8Array && bytes.length === 16 ? bytes.fill(0) : bytes;
  };
  const leasing = host.sandbox.lease();
  try {
    await using lease = await leasing;
    const head = `${SAY} const word = (text) => "\\0${NONCE}" + text + "\\0";`;
    return await host.run(`${head}\n${FOREVER}\n${program}`, { ...options, lease });
  } finally {
    crypto.getRandomValues = getRandomValues;
  }
}
