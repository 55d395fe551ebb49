/** Admission of requests by their headers, before a body is read: unlimited with the client token,
 * within its budget for a run, a few at a time for all others. */

import { isForeignPeer } from "#base";
import type { Sandbox, Visit } from "#sandbox";
import type { Hono } from "hono";
import type { AppEnv } from "./app.ts";
import type { Guard } from "./guard.ts";
import type { Handler } from "./listen.ts";

export interface EntranceDeps {
  readonly app: Hono<AppEnv>;
  readonly guard: Guard;
  readonly sandbox: Pick<Sandbox, "visit" | "sockets">;
  readonly port: () => number;
}

/** Requests without token or run that may be open at once: on one connection, where HTTP/2 allows two
 * hundred streams, and on all. A sandbox process has 256 connections at most. */
const MOST_ON_CONNECTION = 8;
const MOST = 4_096;

/** Builds the handler of all requests. */
export function createEntrance({ app, guard, sandbox, port }: EntranceDeps): Handler {
  const open = createCounter();

  async function visited(request: Request, visit: Visit): Promise<Response> {
    const response = await app.fetch(request, { visit });
    void drop(request);
    return response;
  }

  return async (request, info) => {
    const visit = visitOf(request);
    if (visit) {
      onResponseEnd(info, () => visit[Symbol.dispose]());
      return await visited(request, visit);
    }
    if (guard.isClient(request)) return await app.fetch(request, {});
    const leave = open.enter(`${info.remoteAddr.hostname} ${info.remoteAddr.port}`);
    if (leave) onResponseEnd(info, leave);
    void drop(request);
    if (!leave) return new Response(null, { status: 429 });
    // A program in the sandbox has the user of the gateway.
    const isForeign = async () => isForeignPeer(info.remoteAddr, port(), await sandbox.sockets());
    const response = await app.fetch(request, { isForeign });
    // Deno 2.9.6 counts a body in one piece as sent before the client reads it.
    return response.body ? new Response(response.body, response) : response;
  };

  function visitOf({ url }: Request): Visit | undefined {
    const secret = /^https?:\/\/[^/?#]*\/r\/([\w-]+)\//.exec(url)?.[1];
    return secret === undefined ? undefined : sandbox.visit(secret);
  }
}

/** Calls `action` once the response was sent or has failed. */
function onResponseEnd({ completed }: Deno.ServeHandlerInfo, action: () => void): void {
  completed.then(action, action);
}

/** Cancels the unread rest of a body. */
async function drop({ body }: Request): Promise<void> {
  if (body === null || body.locked) return;
  await body.cancel().catch(() => {
    // The connection is gone.
  });
}

interface Counter {
  /** Counts a request of a connection; returns the function that ends it, undefined over the limit. */
  enter(connection: string): (() => void) | undefined;
}

function createCounter(): Counter {
  const connections = new Map<string, number>();
  let all = 0;
  return {
    enter(connection) {
      const count = connections.get(connection) ?? 0;
      if (all >= MOST || count >= MOST_ON_CONNECTION) return undefined;
      all++;
      connections.set(connection, count + 1);
      return () => {
        all--;
        const open = (connections.get(connection) ?? 1) - 1;
        if (open > 0) connections.set(connection, open);
        else connections.delete(connection);
      };
    },
  };
}
