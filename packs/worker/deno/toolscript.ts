/** Module "toolscript" of a TypeScript pack: its settings, its log, other tools. */

import { current } from "./context.ts";

/** A tool call that failed, as in a toolscript. */
export class ToolError extends Error {
  override readonly name = "ToolError";
  readonly code: string;
  readonly tool: string;
  constructor(message: string, { code, tool }: { readonly code: string; readonly tool: string }) {
    super(message);
    this.code = code;
    this.tool = tool;
  }
}

/** The settings below `packs.<name>` in the configuration. */
export function config<T extends object = Record<string, unknown>>(): Partial<T> {
  return current().config as Partial<T>;
}

/** One of `packs.<name>.secrets`. Throws where it is missing. */
export function secret(name: string): string {
  const { pack, secrets } = current();
  const value = Object.hasOwn(secrets, name) ? secrets[name] : undefined;
  if (value !== undefined) return value;
  throw new Error(
    `No secret "${name}": add it to packs.${pack}.secrets in onetool.yaml, as "\${secret:${name}}"`,
  );
}

/** Signal that is aborted when the current call is cancelled or takes too long. */
export function signal(): AbortSignal {
  return current().call?.signal ?? new AbortController().signal;
}

/** Reports the progress of the call to its caller. */
export function progress(done: number, total?: number, message?: string): void {
  const { call, notify } = current();
  if (call) notify("progress", { call: call.id, progress: done, total, message });
}

type Level = "debug" | "info" | "warning" | "error";

function logAt(level: Level): (message: string, facts?: Record<string, unknown>) => void {
  return (message, facts = {}) => {
    const { call, notify } = current();
    notify("log", { call: call?.id, level, message, facts });
  };
}

/** Writes to the gateway's log. */
export const log = {
  debug: logAt("debug"),
  info: logAt("info"),
  warning: logAt("warning"),
  error: logAt("error"),
} as const;

// deno-lint-ignore no-explicit-any -- any tool, any result
type AnyTool = (args?: Record<string, unknown>) => Promise<any>;

/** All tools of the gateway, `tools.github.createIssue({ … })`. Calls belong to the current call, with
 * its lists, confirmations and limits. Throws `ToolError`. */
export const tools: Readonly<Record<string, Readonly<Record<string, AnyTool>>>> = names((pack) =>
  names((tool) => (args = {}) => callTool(pack, tool, args))
);

async function callTool(pack: string, tool: string, args: unknown): Promise<unknown> {
  const name = `${pack}.${tool}`;
  const { call, request } = current();
  if (!call) {
    throw new ToolError(
      `Cannot call "${name}": tools can be called only during a call of this pack`,
      {
        code: "bad_request",
        tool: name,
      },
    );
  }
  try {
    return await request("call", { call: call.id, pack, tool, arguments: args });
  } catch (error) {
    const { message, code } = error as { message: string; code?: string };
    throw new ToolError(message, { code: code ?? "tool_error", tool: name });
  }
}

/** Object with every property, each made at its first use. */
function names<T>(make: (name: string) => T): Readonly<Record<string, T>> {
  const values = new Map<string, T>();
  return new Proxy(Object.create(null), {
    get(_, name) {
      if (typeof name !== "string" || name === "then") return undefined;
      const value = values.get(name) ?? make(name);
      values.set(name, value);
      return value;
    },
  });
}
