/** Reads of resources and prompts; they need confirmation where the server, or its reads, are on
 * `ask`. */

import type { JsonObject } from "#base";
import { PackError, type Registry, type ServerPack, stopAsking, unconfirmedState } from "#packs";
import type { Ask, Inbox } from "#runtime";
import { createMcpPerson } from "../client/confirm.ts";
import type { SuspendedWork, WorkContext } from "../client/suspended_work.ts";
import { McpError, type McpExchange, type Progress, REFUSED } from "../types.ts";

export interface ReadsDeps {
  readonly servers: readonly ServerPack[];
  readonly registry: Pick<Registry, "policy">;
  readonly holder: SuspendedWork;
  readonly inbox: Inbox;
}

/** A request to a server: `resources/read`, `prompts/get`. */
export interface ReadRequest {
  readonly method: string;
  readonly params: JsonObject;
}

/** One read, which may ask its client. */
export interface Read {
  /** Exchange of the client's request; it stays valid while the read is suspended. */
  readonly exchange: McpExchange;
  /** Asks for permission to read a server. Throws `McpError` where it is refused. */
  confirm(server: ServerPack, request: ReadRequest): Promise<void>;
}

export type Reads = (
  exchange: McpExchange,
  work: (read: Read) => Promise<JsonObject>,
) => Promise<JsonObject>;

/** Builds the function that runs reads; one that may need confirmation can be suspended. */
export function createReads({ servers, registry, holder, inbox }: ReadsDeps): Reads {
  const decide = ({ name }: ServerPack) => registry.policy().decideRead(name);

  function readIn(context: WorkContext, exchange: McpExchange): Read {
    const { signal, exchange: current } = context;
    const onProgress = (progress: Progress) => current()?.onProgress?.(progress);
    const person = createMcpPerson(inbox, context, exchange);
    return {
      exchange: {
        ...exchange,
        signal,
        onProgress: exchange.onProgress && onProgress,
        onLog: (level, data, logger) => current()?.onLog(level, data, logger),
      },
      async confirm(server, request) {
        const { level, pattern = "" } = decide(server);
        if (level === "blocked") throw refused(server, request, `it is blocked by '${pattern}'`);
        if (level === "ask") await askAbout({ server, request, pattern, person, signal });
      },
    };
  }

  return async (exchange, work) => {
    if (holder.has(exchange)) return await holder.resume(exchange);
    if (servers.every((server) => !isHeld(decide(server).level))) {
      return await work({ exchange, confirm: () => Promise.resolve() });
    }
    return await holder.begin((context) => work(readIn(context, exchange)), exchange);
  };
}

interface Confirmation {
  readonly server: ServerPack;
  readonly request: ReadRequest;
  readonly pattern: string;
  /** Missing for a client that cannot ask. */
  readonly person: Ask | undefined;
  readonly signal: AbortSignal;
}

async function askAbout({ server, request, pattern, person, signal }: Confirmation): Promise<void> {
  const tool = `${server.name}.${request.method}`;
  const answer = await person?.({ tool, arguments: request.params }, signal).catch((cause) => {
    throw cause instanceof PackError ? new McpError(REFUSED, cause.message, { cause }) : cause;
  });
  if (answer === "call" || answer === "run") return;
  const state = answer === "no"
    ? `it was declined (matches '${pattern}')`
    : `${unconfirmedState([pattern])}: ${stopAsking(pattern)}`;
  throw refused(server, request, state);
}

function refused({ name }: ServerPack, { method }: ReadRequest, state: string): McpError {
  return new McpError(REFUSED, `Cannot call "${name}.${method}": ${state}`);
}

function isHeld(level: string): boolean {
  return level === "ask" || level === "blocked";
}
