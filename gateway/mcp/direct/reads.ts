/** Reads of resources and prompts; they need confirmation where the server, or its reads, are on
 * `ask`. */

import type { JsonObject } from "#base";
import { PackError, type Registry, type ServerPack, stopAsking, unconfirmedState } from "#packs";
import type { Ask, Inbox } from "#runtime";
import { createMcpPerson } from "../client/confirm.ts";
import type { SuspendedWork, WorkContext } from "../client/suspended_work.ts";
import { McpError, type McpExchange, type Progress, REFUSED } from "../types.ts";

export interface ReadsDeps {
  readonly registry: Pick<Registry, "policy">;
  readonly holder: SuspendedWork;
  readonly inbox: Inbox;
  /** Receives each read that is refused; never throws. */
  readonly onRefused?: (refusal: ReadRefusal) => void;
}

/** A read that is refused, for the audit. */
export interface ReadRefusal {
  /** `github.resources/read`. */
  readonly tool: string;
  readonly client?: string;
  readonly code: "blocked" | "needs_confirmation";
  readonly details: JsonObject;
}

/** A request to a server: `resources/read`, `prompts/get`. */
export interface ReadRequest {
  readonly method: string;
  readonly params: JsonObject;
}

/** One read, which may ask its client. */
export interface Read extends Pick<WorkContext, "askAll"> {
  /** Exchange of the client's request; it stays valid while the read is suspended. */
  readonly exchange: McpExchange;
  /** Asks for permission to read a server. Throws `McpError` where it is refused. */
  confirm(server: ServerPack, request: ReadRequest): Promise<void>;
}

export type Reads = (
  exchange: McpExchange,
  work: (read: Read) => Promise<JsonObject>,
) => Promise<JsonObject>;

/** Builds the function that runs reads; each can be suspended. */
export function createReads(deps: ReadsDeps): Reads {
  const { registry, holder, inbox } = deps;

  function readIn(context: WorkContext, exchange: McpExchange): Read {
    const { signal, askAll, exchange: current } = context;
    const onProgress = (progress: Progress) => current()?.onProgress?.(progress);
    const person = createMcpPerson(inbox, context, exchange);
    return {
      askAll,
      exchange: {
        ...exchange,
        signal,
        onProgress: exchange.onProgress && onProgress,
        onLog: (level, data, logger) => current()?.onLog(level, data, logger),
      },
      async confirm(server, request) {
        const { level, pattern = "" } = registry.policy().decideRead(server.name);
        const tool = `${server.name}.${request.method}`;
        const refuse: Refuse = (code, state) => {
          const message = `Cannot call "${tool}": ${state}`;
          const { client } = exchange;
          deps.onRefused?.({ tool, client, code, details: { pattern, message } });
          return new McpError(REFUSED, message);
        };
        if (level === "blocked") throw refuse("blocked", `it is blocked by '${pattern}'`);
        if (level === "ask") await askAbout({ tool, request, pattern, person, signal, refuse });
      },
    };
  }

  return async (exchange, work) => {
    if (exchange.requestState !== undefined) return await holder.resume(exchange);
    return await holder.begin((context) => work(readIn(context, exchange)), exchange);
  };
}

/** Notes a refusal, and builds its error. */
type Refuse = (code: ReadRefusal["code"], state: string) => McpError;

interface Confirmation {
  readonly tool: string;
  readonly refuse: Refuse;
  readonly request: ReadRequest;
  readonly pattern: string;
  /** Missing for a client that cannot ask. */
  readonly person: Ask | undefined;
  readonly signal: AbortSignal;
}

async function askAbout(
  { tool, request, pattern, person, signal, refuse }: Confirmation,
): Promise<void> {
  const answer = await person?.({ tool, arguments: request.params }, signal).catch((cause) => {
    throw cause instanceof PackError ? new McpError(REFUSED, cause.message, { cause }) : cause;
  });
  if (answer === "call" || answer === "run") return;
  throw answer === "no"
    ? refuse("blocked", `it was declined (matches '${pattern}')`)
    : refuse("needs_confirmation", `${unconfirmedState([pattern])}: ${stopAsking(pattern)}`);
}
