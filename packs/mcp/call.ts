/** One call of one tool: connect if needed, send, read the answer, name what went wrong. */

import { isObject, type JsonObject } from "#sandbox";
import { PackError, type PackErrorOptions } from "../errors.ts";
import type { ServerConfig } from "../server_config.ts";
import type { Args, CallOptions, CallResult, ToolSpec } from "../types.ts";
import { forwardedResult, readCallResult, shorten } from "./call_result.ts";
import type { Connection, SendOptions } from "./connection.ts";
import { ConnectError, type Failure } from "./failure.ts";
import type { Link } from "./link.ts";
import type { ToolKeeper } from "./tool_keeper.ts";

export interface CallTarget {
  readonly config: ServerConfig;
  readonly link: Link;
  readonly keeper: ToolKeeper;
}

/** JSON-RPC: the arguments, or the tool's name, are not what the server takes. */
const INVALID_PARAMS = -32602;
const METHOD_NOT_FOUND = -32601;

/** Calls a tool within the server's time limit, which includes a connect. Throws `PackError`. */
export async function callServer(
  target: CallTarget,
  { tool, args }: { readonly tool: string; readonly args: Args },
  options: CallOptions,
): Promise<CallResult> {
  const name = `${target.config.name}.${tool}`;
  return await exchange(target, { name, signal: options.signal }, async (connection, timeoutMs) => {
    const spec = target.keeper.find(tool);
    if (!spec) throw unknownTool({ name }, target.keeper.tools);
    const { forward } = options;
    const sent = { name: tool, arguments: args, inputSchema: spec.inputSchema, forward };
    const result = await connection.callTool(sent, sendOptions(options, timeoutMs));
    return forward ? forwardedResult(result, name) : readCallResult(result, name);
  });
}

/** One exchange with the server over a connection that is there or is made for it, within the
 * server's time limit. Throws `PackError`, with a `ConnectError` as its cause. */
export async function exchange<T>(
  { config, link }: Pick<CallTarget, "config" | "link">,
  about: { readonly name: string; readonly signal?: AbortSignal },
  work: (connection: Connection, timeoutMs: number) => Promise<T>,
): Promise<T> {
  const call: Call = { ...about, afterMs: config.timeoutMs };
  if (!config.enabled) throw unavailable(call, "disabled in the config", false);
  const deadline = performance.now() + config.timeoutMs;
  for (let retried = false;; retried = true) {
    const connection = link.held() ?? await acquire(link, call, deadline);
    try {
      return await work(connection, deadline - performance.now());
    } catch (error) {
      if (!(error instanceof ConnectError)) throw error;
      if (isDead(error.failure, connection)) link.drop(connection, error.reason);
      // A server that does not know the session has not run the call.
      if (!retried && isForgotten(error.failure, connection)) continue;
      throw describe(error, call);
    } finally {
      link.release();
    }
  }
}

interface Call {
  readonly name: string;
  readonly afterMs: number;
  readonly signal?: AbortSignal;
}

async function acquire(link: Link, call: Call, deadline: number): Promise<Connection> {
  const limit = new AbortController();
  const cancel = () => limit.abort();
  const timer = setTimeout(cancel, Math.max(0, deadline - performance.now()));
  call.signal?.addEventListener("abort", cancel, { once: true });
  if (call.signal?.aborted) cancel();
  try {
    return await link.acquire(limit.signal);
  } catch (error) {
    if (call.signal?.aborted) throw cancelled(call, error);
    if (error instanceof ConnectError) throw unavailable(call, error.reason, !error.final, error);
    if (limit.signal.aborted) throw timedOut(call, error);
    throw unavailable(call, "connection ended", true, error);
  } finally {
    clearTimeout(timer);
    call.signal?.removeEventListener("abort", cancel);
  }
}

/** What is sent along with a request that a caller made. */
export function sendOptions(options: CallOptions, timeoutMs: number): SendOptions {
  const { onProgress, signal, span } = options;
  return {
    timeoutMs,
    signal,
    trace: span?.context(),
    onProgress: onProgress && ((progress) => {
      const read = readProgress(progress);
      if (read) onProgress(read);
    }),
  };
}

function readProgress(progress: unknown) {
  if (!isObject(progress) || typeof progress.progress !== "number") return undefined;
  const { total, message } = progress;
  return {
    progress: progress.progress,
    ...(typeof total === "number" ? { total } : {}),
    ...(typeof message === "string" ? { message } : {}),
  };
}

function isDead(failure: Failure, connection: Connection): boolean {
  return failure.kind === "closed" || failure.kind === "unreachable" ||
    isForgotten(failure, connection);
}

/** Over HTTP, 404 (in practice also 400) says that the session is not known any more. */
function isForgotten(failure: Failure, connection: Connection): boolean {
  return failure.kind === "http" && connection.hasSession &&
    (failure.status === 404 || failure.status === 400);
}

function describe(error: ConnectError, call: Call): PackError {
  const { failure } = error;
  if (call.signal?.aborted) return cancelled(call, error);
  switch (failure.kind) {
    case "timeout":
      return timedOut(call, error);
    case "rpc":
      return refused(call, failure, error);
    case "input_required":
      return new PackError(
        "tool_error",
        `Cannot finish "${call.name}": the server asks for input that nobody can give here`,
        { tool: call.name, cause: error },
      );
    default:
      return unavailable(call, error.reason, !error.final, error);
  }
}

function refused(
  call: Call,
  failure: Extract<Failure, { kind: "rpc" }>,
  cause: unknown,
): PackError {
  const options = { tool: call.name, cause, details: { rpc_code: failure.code } };
  const said = `Cannot call "${call.name}": the server refused it: ${shorten(failure.message)}`;
  if (failure.code === INVALID_PARAMS) return new PackError("invalid_arguments", said, options);
  if (failure.code === METHOD_NOT_FOUND) return new PackError("unknown_tool", said, options);
  return new PackError("tool_error", said, options);
}

function unavailable(call: Call, reason: string, retryable: boolean, cause?: unknown): PackError {
  const [server] = call.name.split(".");
  return fail("unavailable", call, `the server "${server}" is not available: ${reason}`, {
    retryable,
    cause,
    details: { reason },
  });
}

function timedOut(call: Call, cause: unknown): PackError {
  const seconds = call.afterMs / 1000;
  return fail("timeout", call, `no answer within ${seconds} s: raise "timeout" of the server`, {
    retryable: true,
    cause,
    details: { after_ms: call.afterMs },
  });
}

function cancelled(call: Call, cause: unknown): PackError {
  return fail("cancelled", call, "the call was cancelled", { cause });
}

function unknownTool(call: Pick<Call, "name">, tools: readonly ToolSpec[]): PackError {
  const available: JsonObject = {
    available: tools.slice(0, 30).map(({ name }) => name),
    total: tools.length,
  };
  return fail("unknown_tool", call, "the server has no such tool", { details: available });
}

function fail(
  code: PackError["code"],
  call: Pick<Call, "name">,
  state: string,
  options: PackErrorOptions,
): PackError {
  return new PackError(code, `Cannot call "${call.name}": ${state}`, {
    tool: call.name,
    ...options,
  });
}
