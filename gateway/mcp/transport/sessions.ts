/** Sessions of clients of the protocol up to 2025-11-25: a bounded number, each ended when it was
 * unused for long. */

import {
  type Server,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import type { McpHttpOptions } from "./http_types.ts";
import { boundUnread } from "./unread.ts";

export interface SessionsOptions
  extends Pick<McpHttpOptions, "newId" | "now" | "maxBodyBytes" | "most" | "idleMs"> {
  readonly createServer: () => Server;
}

export interface Sessions extends AsyncDisposable {
  /** Handles a request of a session, or one that opens a session. */
  handle(request: Request, body: unknown): Promise<Response>;
  count(): number;
}

interface Session {
  readonly transport: WebStandardStreamableHTTPServerTransport;
  readonly server: Server;
  /** Number of open responses, streams included. */
  open: number;
  usedAt: number;
}

const MOST = 256;
const IDLE_MS = 30 * 60_000;
const SWEEP_MS = 60_000;

/** Builds the store; it has a timer only while it has sessions. */
export function createSessions(options: SessionsOptions): Sessions {
  const { createServer, newId, now, maxBodyBytes, most = MOST, idleMs = IDLE_MS } = options;
  const sessions = new Map<string, Session>();
  let timer: ReturnType<typeof setInterval> | undefined;

  function remove(id: string): void {
    const session = sessions.get(id);
    sessions.delete(id);
    if (sessions.size === 0) clearInterval(timer);
    void session?.server.close().catch(() => {}); // the session has ended in either case
  }

  function keep(id: string, session: Session): void {
    sessions.set(id, session);
    if (sessions.size > 1) return;
    timer = setInterval(sweep, Math.min(SWEEP_MS, idleMs));
    Deno.unrefTimer(timer);
  }

  function sweep(): void {
    for (const [id, { open, usedAt }] of sessions) {
      if (open === 0 && now() - usedAt > idleMs) remove(id);
    }
  }

  /** Makes room for one more: evicts the least recently used session without open responses. */
  function makeRoom(): boolean {
    if (sessions.size < most) return true;
    const idle = [...sessions].filter(([, { open }]) => open === 0);
    const oldest = idle.sort(([, a], [, b]) => a.usedAt - b.usedAt)[0];
    if (oldest) remove(oldest[0]);
    return oldest !== undefined;
  }

  async function begin(): Promise<Session> {
    const server = createServer();
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: newId,
      maxRequestBodySize: maxBodyBytes,
      onsessioninitialized: (id) => keep(id, session),
      onsessionclosed: (id) => remove(id),
    });
    const session: Session = { server, transport, open: 0, usedAt: now() };
    await server.connect(transport);
    return session;
  }

  return {
    count: () => sessions.size,
    async handle(request, body) {
      const id = request.headers.get("mcp-session-id");
      const existing = id === null ? undefined : sessions.get(id);
      if (id !== null && !existing) return refuse(404, "Session not found: send initialize");
      if (!existing && !opens(body)) {
        return refuse(400, "Bad Request: no Mcp-Session-Id: send initialize first");
      }
      if (!existing && !makeRoom()) return refuse(503, "Too many sessions: end one, or try later");
      const session = existing ?? await begin();
      session.usedAt = now();
      const response = await session.transport.handleRequest(request, { parsedBody: body });
      const isRefused = !existing && session.transport.sessionId === undefined;
      if (isRefused) void session.server.close().catch(() => {});
      return countOpen(response, session, now);
    },
    async [Symbol.asyncDispose]() {
      const open = [...sessions.values()];
      sessions.clear();
      clearInterval(timer);
      await Promise.allSettled(open.map(({ server }) => server.close()));
    },
  };
}

/** Bounds what its client leaves unread of a response, which counts as open until its end. */
function countOpen(response: Response, session: Session, now: () => number): Response {
  session.open++;
  return boundUnread(response, () => {
    session.open--;
    session.usedAt = now();
  });
}

function opens(body: unknown): boolean {
  const messages: unknown[] = Array.isArray(body) ? body : [body];
  return messages.some((message) =>
    typeof message === "object" && message !== null && "method" in message &&
    message.method === "initialize"
  );
}

/** Builds the response to a request without a session. */
export function refuse(status: number, message: string, code = -32000): Response {
  return Response.json({ jsonrpc: "2.0", error: { code, message }, id: null }, { status });
}
