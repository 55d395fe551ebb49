/** The pack proxy: what programs call tools through. It runs in the program's own process, in the
 * sandbox or anywhere else, is served as it stands, and so imports nothing. */

/** A tool whose key or wire name does not follow from its own name: `[tool, key, wire]`. */
type Special = readonly [tool: string, key: string, wire: string];
/** One pack: its name, its key, its plain tool names with a space between, and the others. */
export type PackRow = readonly [
  pack: string,
  key: string,
  plain: string,
  special?: readonly Special[],
];
/** `tool` is its name for people. */
type Call = (
  wire: string,
  of: { tool: string; args: unknown; options: unknown },
) => Promise<unknown>;
type ToolFunction = (...args: unknown[]) => unknown;

const BRAND = Symbol.for("toolscript.ToolError");
/** Names that the language reads on any object: never unknown tools. */
const HOOKS = new Set(["then", "toJSON", "toString", "valueOf"]);
/** Prototype of all these objects: the members of any object, frozen. */
const ORDINARY = Object.freeze({});

/** Options of a call, after its arguments. */
export interface CallOptions {
  /** Calls again, at most so many times and after a pause, where the call fails with an error that is
   * `retryable`. Only for a tool that says that it only reads or is idempotent; any other is called
   * once. */
  readonly retry?: number;
}

interface ToolErrorFields extends ErrorOptions {
  readonly retryable?: boolean;
  readonly tool?: string;
  readonly details?: Readonly<Record<string, unknown>>;
}

/** Why a call of a tool gave no result. */
export class ToolError extends Error {
  override readonly name = "ToolError";
  /** Code of the error: `invalid_arguments`, `unknown_tool`, `tool_error`, `timeout`… */
  readonly code: string;
  /** True if the same call may succeed later. */
  readonly retryable: boolean;
  /** The tool that was called, `github.create_issue`. */
  readonly tool?: string;
  readonly details: Readonly<Record<string, unknown>>;

  constructor(code: string, message: string, fields: ToolErrorFields = {}) {
    super(message, "cause" in fields ? { cause: fields.cause } : undefined);
    this.code = code;
    this.retryable = fields.retryable === true;
    this.tool = fields.tool;
    this.details = fields.details ?? {};
  }

  /** Tells a `ToolError` from others also where the module was loaded twice. */
  get [BRAND](): true {
    return true;
  }
}

/** Makes the `tools` object of these packs. `home` is where a gateway is whose address the
 * environment does not name. */
export function createTools<T>(rows: readonly PackRow[], home = ""): T {
  const call = createCall(home);
  const packs: Record<string, unknown> = Object.create(ORDINARY);
  for (const row of rows) {
    const [pack, key] = row;
    const value = createPack(row, call);
    Object.defineProperty(packs, key, { value, enumerable: true });
    if (pack !== key) Object.defineProperty(packs, pack, { value });
  }
  Object.defineProperty(packs, Symbol.toPrimitive, { value: asText });
  return openObject(Object.freeze(packs), {
    find: () => undefined,
    unknown: (pack) => createPack([pack, pack, ""], call),
    fill: () => {},
  }) as T;
}

/** The key that follows from a plain name: `create_issue` → `createIssue`. */
export function plainKey(name: string): string {
  return name.replace(/[-_]([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

interface Lookup {
  /** The value of a property that exists and was not made yet. */
  find(name: string): unknown;
  /** The value for a name that does not exist, so that the gateway can say what there is. */
  unknown(name: string): unknown;
  /** Makes every property. */
  fill(): void;
}

/** An object whose properties are made when they are first named or listed. */
function openObject(target: Record<string, unknown>, { find, unknown, fill }: Lookup): object {
  return new Proxy(target, {
    get(_, name) {
      if (typeof name === "symbol" || Object.hasOwn(target, name)) return Reflect.get(target, name);
      const isOrdinary = name in target || HOOKS.has(name);
      return find(name) ?? (isOrdinary ? Reflect.get(target, name) : unknown(name));
    },
    has: (_, name) => name in target || (typeof name === "string" && find(name) !== undefined),
    ownKeys: () => (fill(), Reflect.ownKeys(target)),
    getOwnPropertyDescriptor: (_, name) => (fill(), Reflect.getOwnPropertyDescriptor(target, name)),
    set: () => false,
    defineProperty: () => false,
    deleteProperty: () => false,
    setPrototypeOf: () => false,
  });
}

/** A pack finds a tool by searching its text of names: splitting ten thousand of them would cost
 * every run that names one. */
function createPack([pack, , plain, special = []]: PackRow, call: Call): object {
  const target: Record<string, unknown> = Object.create(ORDINARY);
  const text = ` ${plain} `;
  const add = (name: string, own: string, { wire = `${pack}__${own}`, enumerable = true } = {}) => {
    if (Object.hasOwn(target, name)) return target[name];
    const tool = toolOf(name, (args, options) => {
      return call(wire, { tool: `${pack}.${own}`, args, options });
    });
    const value = HOOKS.has(name) ? hookOf(name, { tool, target: packed }) : tool;
    Object.defineProperty(target, name, { value, enumerable, configurable: true });
    return value;
  };
  const find = (name: string) => {
    const tool = findPlain(text, name);
    if (tool) return add(name, tool, { enumerable: plainKey(tool) === name });
    const match = special.find(([, key]) => key === name) ??
      special.find(([tool]) => tool === name);
    return match && add(name, match[0], { wire: match[2], enumerable: match[1] === name });
  };
  const fill = once(() => {
    for (const tool of plain === "" ? [] : plain.split(" ")) add(plainKey(tool), tool);
    for (const [tool, key, wire] of special) add(key, tool, { wire });
  });
  const inspected = { value: () => (fill(), { ...target }) };
  Object.defineProperty(target, Symbol.for("nodejs.util.inspect.custom"), inspected);
  Object.defineProperty(target, Symbol.toPrimitive, { value: asText });
  const unknown = (tool: string) => {
    return toolOf(tool, (args, options) => {
      return call(`${pack}__${tool}`, { tool: `${pack}.${tool}`, args, options });
    });
  };
  const packed = openObject(target, { find, unknown, fill });
  return packed;
}

/** The text of these objects in a template: no tool is called for it. */
function asText(hint: string): string | number {
  return hint === "number" ? NaN : "[object Object]";
}

/** A tool whose name the language calls: `await` and `JSON.stringify` call it with what no tool
 * takes, functions and a text, and get the pack as it is without that tool. */
function hookOf(
  name: string,
  { tool, target }: { tool: ToolFunction; target: object },
): ToolFunction {
  const plain = new Proxy(target, {
    get: (pack, key) => key === name ? undefined : Reflect.get(pack, key),
  });
  const hook: ToolFunction = (first, ...rest) => {
    if (name === "then" && typeof first === "function") return void first(plain);
    if (name === "toJSON" && typeof first === "string") return plain;
    return tool(first, ...rest);
  };
  return Object.defineProperty(hook, "name", { value: name });
}

/** Characters of a name that is looked for in other spellings. */
const LONGEST_PATTERN = 256;

/** The name in `text` that is `name`, or whose key is. */
function findPlain(text: string, name: string): string | undefined {
  if (!/^[A-Za-z0-9_-]+$/.test(name)) return undefined;
  if (text.includes(` ${name} `)) return name;
  if (name.length > LONGEST_PATTERN) return undefined;
  const pattern = name.replace(/[A-Z0-9]/g, (letter) => {
    return `(?:${letter}|[-_]${letter.toLowerCase()})`;
  });
  return new RegExp(` (${pattern}) `).exec(text)?.[1];
}

function once(action: () => void): () => void {
  let done = false;
  return () => {
    if (!done) action();
    done = true;
  };
}

/** Computed, so that the function has the tool's name where it is printed. */
function toolOf(
  name: string,
  call: (args: unknown, options: unknown) => Promise<unknown>,
): ToolFunction {
  const named = { [name]: (args?: unknown, options?: unknown) => call(args, options) };
  return named[name] as ToolFunction;
}

function createCall(home: string): Call {
  const send = globalThis.fetch;
  const gateway = findGateway(home);
  return async (wire, { tool, args = {}, options }) => {
    const body = JSON.stringify(args) ?? "null";
    let response: Response;
    let answer: unknown;
    try {
      const url = `${gateway.url}/tools/${encodeURIComponent(wire.toWellFormed())}${
        queryOf(options)
      }`;
      response = await send(url, {
        method: "POST",
        headers: gateway.headers,
        body,
        redirect: "error",
      });
      answer = await response.json();
    } catch (cause) {
      const message = `Cannot call "${tool}": no answer from the gateway`;
      throw new ToolError("unavailable", message, { retryable: true, tool, cause });
    }
    if (response.ok && has(answer, "result")) return answer.result;
    throw errorOf(tool, response.status, answer);
  };
}

function queryOf(options: unknown): string {
  if (!has(options, "retry") || options.retry === undefined) return "";
  return `?retry=${encodeURIComponent(String(options.retry))}`;
}

/** The error in an answer (docs/reference/http.md, *Errors*); missing fields are filled in. */
function errorOf(called: string, status: number, answer: unknown): Error {
  const error = has(answer, "error") && isRecord(answer.error) ? answer.error : {};
  const { code, message, retryable, tool, details } = error;
  const toolError = new ToolError(
    typeof code === "string" ? code : "internal",
    typeof message === "string"
      ? message
      : `Cannot call "${called}": the gateway answered ${status}`,
    {
      retryable: retryable === true,
      tool: typeof tool === "string" ? tool : called,
      details: isRecord(details) ? details : {},
    },
  );
  const isRange = toolError.code === "invalid_arguments" && toolError.details.name === "RangeError";
  return isRange ? rangeError(toolError) : toolError;
}

/** A number out of its range is the language's own `RangeError`, with what a `ToolError` has. */
function rangeError({ code, message, retryable, tool, details }: ToolError): RangeError {
  const error = new RangeError(message);
  return Object.defineProperty(
    Object.assign(error, { code, retryable, tool, details }),
    BRAND,
    { value: true },
  );
}

function findGateway(home: string): { url: string; headers: Record<string, string> } {
  const url = (readVariable("TOOLSCRIPT_GATEWAY_URL") ?? home).replace(/\/+$/, "");
  const headers: Record<string, string> = { "content-type": "application/json" };
  // Below a run's own path no token is needed, and the sandbox has none to give.
  const token = /\/r\/[^/]+$/.test(url) ? undefined : readVariable("TOOLSCRIPT_TOKEN");
  if (token) headers.authorization = `Bearer ${token}`;
  return { url, headers };
}

/** Reads a variable only with a granted permission: Deno must not prompt for one. */
function readVariable(variable: string): string | undefined {
  try {
    const { state } = Deno.permissions.querySync({ name: "env", variable });
    return state === "granted" ? Deno.env.get(variable) : undefined;
  } catch {
    // No Deno, or permissions that cannot be asked: as if it were not set.
    return undefined;
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function has<K extends string>(value: unknown, key: K): value is Record<K, unknown> {
  return isRecord(value) && Object.hasOwn(value, key);
}
