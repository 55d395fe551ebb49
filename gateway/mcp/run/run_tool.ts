/** Calls of the MCP tools `run` and `look`. */

import type { JsonObject, JsonValue, TraceContext } from "#base";
import {
  type Answerer,
  type CommandRequest,
  type Inbox,
  type RunEvent,
  RunRefused,
  type RunReply,
} from "#runtime";
import type { Peer } from "#packs";
import { HttpError } from "../../problem.ts";
import { readCommandArguments } from "../../run/run_request.ts";
import { createMcpAnswerers } from "../client/confirm.ts";
import { RUN_TOOL } from "./definition.ts";
import { createReporter } from "./events.ts";
import type { SuspendedWork, WorkContext } from "../client/suspended_work.ts";
import { createMcpPeer } from "../client/peer.ts";
import { extractImages } from "./images.ts";
import { runTrusting, type TrustSource } from "../client/trust.ts";
import type { McpExchange } from "../types.ts";

export interface McpRunOptions {
  readonly signal: AbortSignal;
  readonly onEvent: (event: RunEvent) => void;
  /** Ways of the client to ask its person. */
  readonly answerers: readonly Answerer[];
  /** True: the client waits for answers that only the page can give. */
  readonly waits: boolean;
  /** Client, for questions and logs of servers. */
  readonly peer?: Peer;
  /** Name of the client, if it sent one. */
  readonly client?: string;
  readonly via: "mcp";
  /** Span of the client, if it sent one. */
  readonly trace?: TraceContext;
}

/** Runs a command; resolves with its reply, failed or not. Throws `RunRefused` before the run. */
export type RunCommand = (request: CommandRequest, options: McpRunOptions) => Promise<RunReply>;

export interface RunToolDeps {
  readonly run: RunCommand;
  readonly holder: SuspendedWork;
  readonly inbox: Inbox;
  /** Working folder of runs. */
  readonly cwd: string;
  /** Missing where the client cannot grant trust. */
  readonly trust?: TrustSource;
}

/** Handles `tools/call` of `run`, and of `look`, which never asks. */
export async function callRun(
  { run, holder, inbox, cwd, trust }: RunToolDeps,
  { args, isLook }: { readonly args: JsonValue | undefined; readonly isLook: boolean },
  exchange: McpExchange,
): Promise<JsonObject> {
  try {
    if (exchange.requestState !== undefined) return await holder.resume(exchange);
    return await holder.begin(
      work({
        ...readCommandArguments(args, exchange.cwd ?? cwd),
        ...(isLook ? { look: true } : {}),
      }),
      exchange,
    );
  } catch (error) {
    if (error instanceof HttpError || error instanceof RunRefused) {
      return errorResult(error.message);
    }
    throw error;
  }

  function work(request: CommandRequest) {
    return async (context: WorkContext) => {
      const { signal, ask, exchange: current } = context;
      const reporter = createReporter({
        onProgress: exchange.onProgress && ((progress) => current()?.onProgress?.(progress)),
        onLog: (level, data, logger) => current()?.onLog(level, data, logger),
      });
      try {
        const { client, trace, capabilities } = exchange;
        const options = {
          signal,
          client,
          via: "mcp" as const,
          trace,
          onEvent: reporter.event,
          answerers: createMcpAnswerers(ask, {
            capabilities,
            client,
            isOneOfSeveral: inbox.address() !== undefined,
          }),
          waits: true,
          peer: { ...createMcpPeer(context, exchange), log: undefined }, // logs come as events of the run
        };
        const once = () => run(request, options);
        const reply = request.look
          ? await once()
          : await runTrusting(once, { trust, ask, capabilities });
        return resultOf(reply, current());
      } finally {
        reporter.end();
      }
    };
  }
}

/** Builds a result with an error message for the model. */
export function errorResult(text: string): JsonObject {
  return { content: [{ type: "text", text }], isError: true };
}

function resultOf(reply: RunReply, exchange: McpExchange | undefined): JsonObject {
  const { run, ok, value, content = [], text, calls, ms, warnings } = reply;
  for (const warning of warnings) exchange?.onLog("warning", warning, RUN_TOOL);
  const images = extractImages(value, text);
  const beside = extractImages([...content], "");
  return {
    content: [{ type: "text", text: images.text }, ...images.blocks, ...beside.blocks],
    isError: !ok,
    _meta: { run, calls, ms, warnings },
  };
}
