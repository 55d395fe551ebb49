/** One call of the tool `run`: its arguments in, a result in the form of MCP out. */

import {
  type Ask,
  type CommandRequest,
  type Format,
  type RunEvent,
  RunRefused,
  type RunReply,
} from "#runtime";
import type { Peer } from "#packs";
import { isObject, type JsonObject, type JsonValue, type TraceContext } from "#sandbox";
import { createMcpConfirmer } from "./confirm.ts";
import { RUN_TOOL } from "./definition.ts";
import { createReporter } from "./events.ts";
import type { Held, Holder } from "./held.ts";
import { createMcpPeer } from "./peer.ts";
import { extractPictures } from "./pictures.ts";
import { runTrusting, type TrustSource } from "./trust.ts";
import type { McpExchange } from "./types.ts";

export interface McpRunOptions {
  readonly signal: AbortSignal;
  readonly onEvent: (event: RunEvent) => void;
  /** Missing where nobody can be asked. */
  readonly ask?: Ask;
  /** The client, for what servers ask and log. */
  readonly peer?: Peer;
  /** The client's name, where it gave one. */
  readonly client?: string;
  /** The client's span, where it sent one. */
  readonly trace?: TraceContext;
}

/** Runs a command and answers whatever it did. Throws what says why it was not taken. */
export type RunCommand = (request: CommandRequest, options: McpRunOptions) => Promise<RunReply>;

export interface RunToolDeps {
  readonly run: RunCommand;
  readonly holder: Holder;
  /** The folder that runs are told they are in. */
  readonly cwd: string;
  /** Missing where trust cannot be given. */
  readonly trust?: TrustSource;
}

const KEYS = ["command", "format", "sanitize", "timeout"];

/** Answers `tools/call` of `run`. */
export async function callRun(
  { run, holder, cwd, trust }: RunToolDeps,
  args: JsonValue | undefined,
  exchange: McpExchange,
): Promise<JsonObject> {
  try {
    if (exchange.requestState !== undefined) return await holder.resume(exchange);
    return await holder.begin(work(readArguments(args, cwd)), exchange);
  } catch (error) {
    if (error instanceof BadArguments || error instanceof RunRefused) return failure(error.message);
    throw error;
  }

  function work(request: CommandRequest) {
    return async (held: Held) => {
      const { signal, ask, exchange: current } = held;
      const reporter = createReporter({
        onProgress: exchange.onProgress && ((progress) => current()?.onProgress?.(progress)),
        onLog: (level, data, logger) => current()?.onLog(level, data, logger),
      });
      try {
        const { client, trace, capabilities } = exchange;
        const options = {
          ...{ signal, client, trace, onEvent: reporter.event },
          ask: createMcpConfirmer(ask, capabilities),
          peer: { ...createMcpPeer(held, exchange), log: undefined }, // its events tell
        };
        const once = () => run(request, options);
        const reply = await runTrusting(once, { trust, ask, capabilities });
        return resultOf(reply, current());
      } finally {
        reporter.end();
      }
    };
  }
}

/** A result that says what went wrong, to be read by the model. */
export function failure(text: string): JsonObject {
  return { content: [{ type: "text", text }], isError: true };
}

class BadArguments extends Error {
  override readonly name = "BadArguments";
}

function resultOf(reply: RunReply, exchange: McpExchange | undefined): JsonObject {
  const { run, ok, value, content = [], text, calls, ms, warnings } = reply;
  for (const warning of warnings) exchange?.onLog("warning", warning, RUN_TOOL);
  const pictures = extractPictures(value, text);
  const beside = extractPictures([...content], "");
  return {
    content: [{ type: "text", text: pictures.text }, ...pictures.blocks, ...beside.blocks],
    isError: !ok,
    _meta: { run, calls, ms, warnings },
  };
}

function readArguments(args: JsonValue | undefined, cwd: string): CommandRequest {
  if (!isObject(args)) throw new BadArguments('Cannot run: no arguments: give "command"');
  const foreign = Object.keys(args).find((key) => !KEYS.includes(key));
  if (foreign !== undefined) {
    throw new BadArguments(
      `Cannot run: no such argument "${foreign}": there are ${KEYS.join(", ")}`,
    );
  }
  const { command, format, sanitize, timeout } = args;
  if (typeof command !== "string") throw bad("command", "a string");
  if (!isMissing(format) && typeof format !== "string") throw bad("format", "a string");
  if (!isMissing(sanitize) && typeof sanitize !== "boolean") throw bad("sanitize", "true or false");
  const isTimeout = typeof timeout === "number" && timeout > 0 && timeout < 1e9;
  if (!isMissing(timeout) && !isTimeout) throw bad("timeout", "a number of seconds above 0");
  return {
    kind: "command",
    command,
    cwd,
    ...(typeof format === "string" ? { format: format as Format } : {}),
    ...(typeof sanitize === "boolean" ? { sanitize } : {}),
    ...(isTimeout ? { timeoutMs: timeout * 1000 } : {}),
  };
}

function isMissing(value: unknown): boolean {
  return value === undefined || value === null;
}

function bad(key: string, takes: string): BadArguments {
  return new BadArguments(`Cannot run: argument "${key}": it takes ${takes}`);
}
