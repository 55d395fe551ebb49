/** One call of one tool: connects if necessary, sends, reads the result, converts errors. */

import { Clock, FollowingController, isObject, type JsonObject } from "#base";
import { PackError, type PackErrorOptions } from "../../errors.ts";
import type { Lifeline } from "../../process/lifeline.ts";
import type { ServerConfig } from "../../server_config.ts";
import type { Args, CallOptions, CallResult, ToolSpec } from "../../types.ts";
import { readAnswer, shorten } from "./call_result.ts";
import type { Caller, Callers } from "./callers.ts";
import type { Connection, SendOptions, ToolCall } from "../connect/connection.ts";
import type { ServerAuth } from "../auth/keeper.ts";
import { ConnectError, type Failure } from "../connect/failure.ts";
import { TOO_LONG } from "../connect/long_messages.ts";
import { forwardedResult } from "./forwarded_result.ts";
import { answerAll, readQuestions, showQuestions } from "./questions.ts";
import { checkPin } from "./check_pin.ts";
import { isMilder } from "../pins/pin.ts";
import { signInError, signInFailure, signInFor } from "./sign_in.ts";
import type { ToolKeeper } from "../tools/tool_keeper.ts";

export interface CallTarget {
  readonly config: ServerConfig;
  readonly life: Lifeline<Connection>;
  /** Missing for a server without sign-ins. */
  readonly auth?: ServerAuth;
  readonly keeper: ToolKeeper;
  readonly callers: Callers;
}

/** Time limit of one exchange: it can be paused; its signal is aborted at the end. */
export interface Limit {
  readonly signal: AbortSignal;
  readonly pause: () => () => void;
}

/** JSON-RPC: invalid arguments, or an unknown tool. */
const INVALID_PARAMS = -32602;
const METHOD_NOT_FOUND = -32601;
/** Limits of progress: notifications of one call, and characters of one message. A server can send
 * them without end, and a client that does not read would have them queued. */
const MOST_PROGRESS = 10_000;
const PROGRESS_CHARACTERS = 500;
/** Limit of questions in reply to one call. */
const MOST_ROUNDS = 100;

/** Calls a tool within the server's time limit, which includes a connect. Throws `PackError`. */
export async function callServer(
  target: CallTarget,
  { tool, args }: { readonly tool: string; readonly args: Args },
  options: CallOptions,
): Promise<CallResult> {
  const name = `${target.config.name}.${tool}`;
  return await exchange(target, { ...options, name }, (connection, limit) => {
    const spec = target.keeper.find(tool);
    if (!spec) throw unknownTool({ name }, target.keeper.tools);
    if (options.decided && isMilder(options.decided, spec)) throw stricter({ name });
    checkPin(target.keeper, { server: target.config.name, tool, ...options });
    const { forward, peer } = options;
    const sent = { name: tool, arguments: args, inputSchema: spec.inputSchema, forward };
    const caller = { ...limit, peer };
    return target.callers.run(caller, async () => {
      const send = sendOptions(options, limit);
      if (forward) {
        const result = await connection.callTool(sent, send);
        return await forwardedResult(showQuestions(result, target.config.name), name);
      }
      const logLevel = peer?.logLevel;
      return await readAnswer(
        await answered({ connection, caller, name }, { ...sent, logLevel }, send),
        name,
      );
    });
  });
}

interface QuestionRound {
  readonly connection: Connection;
  readonly caller: Caller;
  readonly name: string;
}

/** Calls a tool, and repeats the call with answers while the server requests input. */
async function answered(
  { connection, caller, name }: QuestionRound,
  tool: ToolCall,
  send: SendOptions,
): Promise<unknown> {
  const [server = name] = name.split(".");
  let answers: JsonObject = {};
  for (let round = 0; round <= MOST_ROUNDS; round++) {
    let result: unknown = await connection.callTool({ ...tool, answers }, send);
    const questions = readQuestions(result, server);
    if (!questions) return result;
    result = undefined; // a large one is not held while a person thinks
    answers = await answerAll(questions, { server, caller });
  }
  throw new PackError(
    "tool_error",
    `Cannot finish "${name}": the server asked ${MOST_ROUNDS} times: give it what it needs as ` +
      "arguments",
    { tool: name },
  );
}

/** Performs one exchange with the server, within its time limit; connects if necessary, and asks for a
 * sign-in, once. Throws `PackError`, with a `ConnectError` as its cause. */
export async function exchange<T>(
  target: ExchangeTarget,
  about: Pick<CallOptions, "signal" | "peer" | "origin"> & { readonly name: string },
  work: (connection: Connection, limit: Limit) => Promise<T>,
): Promise<T> {
  const { config, auth } = target;
  const { name, peer, origin, signal } = about;
  const call: Call = { name, signal, afterMs: config.timeoutMs, auth };
  if (!config.enabled) throw unavailable(call, "disabled in the config", false);
  using end = new FollowingController(call.signal);
  using clock = new Clock(() => end.abort(new DOMException("No answer in time", "TimeoutError")));
  clock.start(config.timeoutMs);
  const limit: Limit = { signal: end.signal, pause: () => clock.pause() };
  try {
    return await exchangeOnce(target, { call, limit }, work);
  } catch (error) {
    await signInFor(error, auth, { name, peer, origin, ...limit });
    return await exchangeOnce(target, { call, limit }, work);
  }
}

type ExchangeTarget = Pick<CallTarget, "config" | "life" | "auth">;

async function exchangeOnce<T>(
  { life }: ExchangeTarget,
  { call, limit }: { readonly call: Call; readonly limit: Limit },
  work: (connection: Connection, limit: Limit) => Promise<T>,
): Promise<T> {
  for (let retried = false;; retried = true) {
    const connection = await acquire(life, call, limit.signal);
    try {
      return await work(connection, limit);
    } catch (error) {
      if (!(error instanceof ConnectError)) throw error;
      if (isDead(error.failure, connection)) life.drop(connection, error.reason);
      // A server that rejects the session has not run the call.
      if (!retried && isForgotten(error.failure, connection)) continue;
      throw describe(error, call);
    } finally {
      life.release(connection);
    }
  }
}

interface Call {
  readonly name: string;
  readonly afterMs: number;
  readonly signal?: AbortSignal;
  readonly auth?: ServerAuth;
}

async function acquire(
  life: Lifeline<Connection>,
  call: Call,
  limit: AbortSignal,
): Promise<Connection> {
  try {
    return await life.acquire(limit);
  } catch (error) {
    if (call.signal?.aborted) throw cancelled(call, error);
    if (error instanceof ConnectError) throw unreached(call, error);
    if (limit.aborted) throw timedOut(call, error);
    throw unavailable(call, "connection ended", true, error);
  }
}

/** Options of a request, from those of the call. */
export function sendOptions(options: CallOptions, { signal }: Limit): SendOptions {
  const { onProgress, span } = options;
  let count = 0;
  return {
    timeoutMs: Infinity, // the signal is the limit
    signal,
    trace: span?.context(),
    onProgress: onProgress && ((progress) => {
      const read = readProgress(progress);
      if (read && ++count <= MOST_PROGRESS) onProgress(read);
    }),
  };
}

function readProgress(progress: unknown) {
  if (!isObject(progress) || typeof progress.progress !== "number") return undefined;
  const { total, message } = progress;
  return {
    progress: progress.progress,
    ...(typeof total === "number" ? { total } : {}),
    ...(typeof message === "string" ? { message: message.slice(0, PROGRESS_CHARACTERS) } : {}),
  };
}

function isDead(failure: Failure, connection: Connection): boolean {
  return failure.kind === "closed" || failure.kind === "unreachable" ||
    isForgotten(failure, connection);
}

/** Returns true for HTTP 404 (in practice also 400): the server has dropped the session. */
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
    default:
      return unreached(call, error);
  }
}

function unreached(call: Call, error: ConnectError): PackError {
  const { auth, name } = call;
  const signIn = signInFailure(error.failure, auth);
  if (signIn && auth) return signInError(name, signIn, { auth, cause: error });
  const { failure } = error;
  const reason = failure.kind === "auth" ? `${error.reason}: ${failure.why}` : error.reason;
  return unavailable(call, reason, !error.final, error);
}

function refused(
  call: Call,
  failure: Extract<Failure, { kind: "rpc" }>,
  cause: unknown,
): PackError {
  if (failure.code === TOO_LONG) return fail("too_large", call, failure.message, { cause });
  const options = { tool: call.name, cause, details: { rpc_code: failure.code } };
  const message = `Cannot call "${call.name}": the server refused it: ${shorten(failure.message)}`;
  if (failure.code === INVALID_PARAMS) return new PackError("invalid_arguments", message, options);
  if (failure.code === METHOD_NOT_FOUND) return new PackError("unknown_tool", message, options);
  return new PackError("tool_error", message, options);
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

/** Error of a call that was decided by milder annotations than those of the server's current
 * list. */
function stricter(call: Pick<Call, "name">): PackError {
  return fail("unavailable", call, "what the server says of its effect has changed: try again", {
    retryable: true,
    details: { reason: "changed" },
  });
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
