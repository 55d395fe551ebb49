/** Process of a TypeScript pack: loads the module, handles `describe`, `call`, `ping` and `shutdown`
 * (WRK-01). */

import { type CallContext, type PackContext, within } from "./context.ts";
import { type Message, type Pipe, takePipe } from "./pipe.ts";

/** Parameters of `describe`, the first request. */
interface Start {
  readonly pack: string;
  /** Address of the module. */
  readonly module: string;
  readonly config: Record<string, unknown>;
  readonly secrets: Record<string, string>;
  readonly maxBytes: number;
}

type Form = { kind: "object" } | { kind: "positional"; names: string[]; rest: boolean };
type Call = { tool: string; arguments: Record<string, unknown>; form?: Form };
type Functions = Readonly<Record<string, unknown>>;

interface Incoming {
  readonly method: string;
  readonly params: Record<string, unknown>;
}

class Worker {
  readonly #pipe: Pipe;
  readonly #calls = new Map<string, AbortController>();
  readonly #requests = new Map<string, PromiseWithResolvers<unknown>>();
  #context: PackContext | undefined;
  #module: Promise<Functions> | undefined;
  #maxBytes = 0;

  constructor(pipe: Pipe) {
    this.#pipe = pipe;
  }

  async run(): Promise<void> {
    for await (const message of this.#pipe.messages()) this.#take(message);
    Deno.exit(0);
  }

  #take(message: Message): void {
    const { id, method, params = {} } = message;
    if (method === undefined) return this.#settle(message);
    if (method === "cancel") {
      this.#calls.get(String(params.id))?.abort(new DOMException("Cancelled", "AbortError"));
    } else if (id !== undefined) void this.#answer(id, { method, params });
  }

  #settle({ id, result, error }: Message): void {
    const request = this.#requests.get(id ?? "");
    this.#requests.delete(id ?? "");
    if (!error) request?.resolve(result);
    else request?.reject({ message: error.message, code: error.data?.code });
  }

  async #answer(
    id: string,
    { method, params }: Incoming,
  ): Promise<void> {
    try {
      const result = await this.#perform(id, { method, params });
      this.#pipe.send({ id, result: this.#bounded(result) });
    } catch (error) {
      this.#pipe.send({ id, error: describeError(error) });
    }
    if (method !== "shutdown") return;
    await this.#pipe.flushed();
    Deno.exit(0);
  }

  async #perform(
    id: string,
    { method, params }: Incoming,
  ): Promise<unknown> {
    switch (method) {
      case "ping":
        return "pong";
      case "shutdown":
        return null;
      case "describe":
        return await this.#describe(params as unknown as Start);
      case "call":
        return await this.#call(id, params as unknown as Call);
      default:
        throw new Error(`No such method "${method}"`);
    }
  }

  async #describe(start: Start): Promise<{ tools: string[] }> {
    const { pack, config, secrets, module } = start;
    this.#maxBytes = start.maxBytes;
    const context: PackContext = {
      pack,
      config,
      secrets,
      notify: (method, params) => this.#pipe.send({ method, params }),
      request: (method, params) => this.#ask(method, params),
    };
    this.#context = context;
    this.#module = within(context, () => import(module) as Promise<Functions>);
    const functions = await this.#module;
    return { tools: Object.keys(functions).filter((n) => typeof functions[n] === "function") };
  }

  #ask(method: string, params: Record<string, unknown>): Promise<unknown> {
    const id = crypto.randomUUID();
    const request = Promise.withResolvers<unknown>();
    this.#requests.set(id, request);
    this.#pipe.send({ id, method, params });
    return request.promise;
  }

  async #call(id: string, { tool, arguments: args, form }: Call): Promise<unknown> {
    const functions = await this.#module;
    const context = this.#context;
    if (!functions || !context) throw new Error("Cannot call: the module is not loaded yet");
    const target = Object.hasOwn(functions, tool) ? functions[tool] : undefined;
    if (typeof target !== "function") throw new Error(`The module exports no function "${tool}"`);
    const ending = new AbortController();
    const call: CallContext = { id, signal: ending.signal };
    this.#calls.set(id, ending);
    try {
      return await within({ ...context, call }, () => target(...inOrder(args, form)));
    } finally {
      this.#calls.delete(id);
    }
  }

  /** Copies a result as JSON. Throws `too_large` for a larger one. */
  #bounded(result: unknown): unknown {
    const text = JSON.stringify(
      result,
      (_, value) => typeof value === "bigint" ? `${value}` : value,
    );
    if (text === undefined) return null;
    if (text.length <= this.#maxBytes || this.#maxBytes === 0) return JSON.parse(text);
    const mb = (bytes: number) => `${Math.ceil(bytes / 2 ** 20)} MB`;
    throw Object.assign(
      new Error(`The answer has ${mb(text.length)}, more than ${mb(this.#maxBytes)}`),
      { code: "too_large" },
    );
  }
}

function inOrder(args: Record<string, unknown>, form: Form = { kind: "object" }): unknown[] {
  if (form.kind === "object") return [args];
  const values = form.names.map((name) => Object.hasOwn(args, name) ? args[name] : undefined);
  if (!form.rest) return values;
  const last = values.pop();
  return [...values, ...(Array.isArray(last) ? last : [])];
}

function describeError(thrown: unknown): Record<string, unknown> {
  const error = thrown instanceof Error ? thrown : undefined;
  const { code, name = "Error" } = (thrown ?? {}) as { code?: unknown; name?: string };
  return {
    code: -32000,
    message: error ? error.message : String(thrown),
    data: { name, stack: error?.stack, code: typeof code === "string" ? code : undefined },
  };
}

// An unhandled rejection must not end the process while other calls run.
globalThis.addEventListener("unhandledrejection", (event) => {
  event.preventDefault();
  Deno.stderr.writeSync(new TextEncoder().encode(`Unhandled rejection: ${event.reason}\n`));
});

await new Worker(takePipe()).run();
