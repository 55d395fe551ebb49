/** Removes globals that an attacker could use. Defense in depth only: permissions are the boundary. */

/** Facts that a program may know of its run; read at every use. */
export interface Context {
  readonly cwd: () => string;
  readonly args: () => readonly string[];
  readonly exit: (code?: number) => never;
  readonly gateway: string;
  /** Set when the program reads a global that writes to stderr. */
  readonly touched: { stderr: boolean };
}

/** Functions for connections that are no `fetch`: one process on raw HTTP/2 keeps the gateway busy. */
const CONNECTIONS = ["connect", "connectTls", "startTls", "resolveDns"];

/** Globals that give access to Node built-ins or the runtime's internals, store data, listen, or start
 * another global scope. */
const GLOBALS = [
  "nodeBootstrap",
  "Worker",
  "SharedWorker",
  "BroadcastChannel",
  "localStorage",
  "sessionStorage",
  "Storage",
  "caches",
  "CacheStorage",
  "Cache",
  "alert",
  "confirm",
  "prompt",
  "OffscreenCanvas",
];

const DENO = [
  "internal",
  "bench",
  "test",
  "lint",
  "jupyter",
  "telemetry",
  "mainModule",
  "pid",
  "ppid",
  "kill",
  "addSignalListener",
  "removeSignalListener",
  "listen",
  "listenTls",
  "listenDatagram",
  "serve",
  "serveHttp",
  "upgradeWebSocket",
  "createHttpClient",
  "HttpClient",
  "openKv",
  "cron",
  "umask",
  "stdin",
];

/** Turns the global scope into that of a program. */
export function scrub(context: Context): void {
  for (const name of GLOBALS) remove(globalThis, name);
  for (const name of Object.getOwnPropertyNames(globalThis)) {
    if (name.startsWith("GPU")) remove(globalThis, name);
  }
  for (const name of DENO) remove(Deno, name);
  for (const name of CONNECTIONS) define(Deno, name, refuseConnection);
  for (const symbol of Object.getOwnPropertySymbols(Deno)) remove(Deno, symbol);
  define(Deno, "cwd", context.cwd);
  define(Deno, "exit", context.exit);
  define(Deno, "execPath", () => "deno");
  const args = { get: () => [...context.args()], configurable: true, enumerable: true };
  Reflect.defineProperty(Deno, "args", args);
  define(globalThis, "process", slimProcess(context));
  watch(Deno, "stderr", context);
  watch(globalThis, "console", context);
  scrubNavigator();
  closeEvaluation();
}

/** Closes the ways from a text to code: no `import()` in such code would be guarded, and the modules of
 * `data:` and `blob:` are the program's own. */
function closeEvaluation(): void {
  const kinds = [function () {}, async function () {}, function* () {}, async function* () {}];
  for (const prototype of kinds.map((kind) => Reflect.getPrototypeOf(kind) ?? {})) {
    const { name } = Reflect.get(prototype, "constructor");
    const constructor = refuseText(name);
    constructor.prototype = prototype;
    hide(prototype, "constructor", constructor);
  }
  hide(globalThis, "Function", Function.prototype.constructor);
  hide(globalThis, "eval", refuseText("eval"));
}

/** Replaces a property that no loop shows. */
function hide(on: object, name: PropertyKey, value: unknown): void {
  const field = { value, writable: true, configurable: true, enumerable: false };
  Reflect.defineProperty(on, name, field);
}

/** Function of this name that evaluates no text. */
function refuseText(name: string): { prototype?: object } {
  const refuse = function (): never {
    throw new EvalError(`${name}() runs no text as code here: write the code into the program`);
  };
  return Object.defineProperty(refuse, "name", { value: name });
}

/** Rejects as Deno does without the permission. */
function refuseConnection(): Promise<never> {
  const { NotCapable } = Deno.errors;
  return Promise.reject(new NotCapable("Requires net access, which no program has: use fetch()"));
}

/** Copy of the common parts of `process`: reading the real one would load Node's whole compatibility
 * layer, which takes half of a process's start. */
function slimProcess(context: Context): object {
  const encoder = new TextEncoder();
  const { stdout, stderr } = Deno;
  const { touched } = context;
  return {
    cwd: context.cwd,
    exit: context.exit,
    env: { TOOLSCRIPT_GATEWAY_URL: context.gateway },
    get argv() {
      return ["deno", "program", ...context.args()];
    },
    nextTick: (callback: (...args: unknown[]) => void, ...args: unknown[]) =>
      queueMicrotask(() => callback(...args)),
    hrtime: createHrtime(),
    stdout: { write: (text: string) => stdout.writeSync(encoder.encode(`${text}`)) > 0 },
    stderr: {
      write(text: string) {
        touched.stderr = true;
        return stderr.writeSync(encoder.encode(`${text}`)) > 0;
      },
    },
  };
}

/** `process.hrtime`: seconds and nanoseconds since an earlier reading, or since the start. */
function createHrtime(): object {
  const { performance } = globalThis;
  const nanoseconds = () => Math.round(performance.now() * 1e6);
  const hrtime = ([seconds, rest] = [0, 0]) => {
    const passed = nanoseconds() - (seconds * 1e9 + rest);
    return [Math.floor(passed / 1e9), passed - Math.floor(passed / 1e9) * 1e9];
  };
  return Object.assign(hrtime, { bigint: () => BigInt(nanoseconds()) });
}

function scrubNavigator(): void {
  const proto = Object.getPrototypeOf(navigator);
  for (const name of ["gpu", "hardwareConcurrency", "platform", "userAgentData"]) {
    remove(proto, name);
  }
}

function remove(from: object, name: PropertyKey): void {
  if (!Reflect.deleteProperty(from, name)) define(from, name, undefined);
}

/** Sets `touched` when a property is read. */
function watch(on: object, name: PropertyKey, { touched }: Context): void {
  const { enumerable } = Reflect.getOwnPropertyDescriptor(on, name) ?? {};
  let value: unknown = Reflect.get(on, name);
  Reflect.defineProperty(on, name, {
    get() {
      touched.stderr = true;
      return value;
    },
    set(next) {
      value = next;
    },
    configurable: true,
    enumerable,
  });
}

/** Replaces a property. */
export function define(on: object, name: PropertyKey, value: unknown): void {
  Reflect.defineProperty(on, name, { value, writable: true, configurable: true, enumerable: true });
}
