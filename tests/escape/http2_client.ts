/** HTTP/2 with prior knowledge, as a program can speak it to the gateway: many requests on each of
 * many connections. */

import { type ClientHttp2Session, connect, type OutgoingHttpHeaders } from "node:http2";

export interface Flood extends Disposable {
  /** How many answers had which status; 0 is one that ended without any. */
  readonly statuses: ReadonlyMap<number, number>;
  /** Resolves when every request was answered or has ended. */
  readonly answered: Promise<void>;
}

export interface FloodOptions {
  readonly connections: number;
  /** Requests on each connection. */
  readonly streams: number;
  readonly headers: OutgoingHttpHeaders;
  /** Bytes that are sent of a body that never ends; no body where it is missing. */
  readonly bytes?: number;
}

/** Sends requests; reads no answer. */
export function flood(origin: string, options: FloodOptions): Flood {
  const { connections, streams, headers, bytes } = options;
  const statuses = new Map<number, number>();
  const sessions: ClientHttp2Session[] = [];
  const done: Promise<void>[] = [];
  const chunk = new Uint8Array(bytes ?? 0).fill(120);
  for (let at = 0; at < connections; at++) {
    const session = connect(origin);
    session.on("error", () => {}); // refused streams and closed connections are what is tested
    sessions.push(session);
    for (let stream = 0; stream < streams; stream++) {
      const answered = Promise.withResolvers<void>();
      done.push(answered.promise);
      const own = { host: new URL(origin).host, ...headers };
      const request = session.request(own, { endStream: bytes === undefined });
      const settle = (status: number) => {
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
        answered.resolve();
      };
      let isSettled = false;
      const once = (status: number) => {
        if (!isSettled) settle(status);
        isSettled = true;
      };
      request.on("response", (answer) => once(Number(answer[":status"])));
      request.on("error", () => once(0));
      request.on("close", () => once(0));
      if (bytes !== undefined) request.write(chunk);
    }
  }
  return {
    statuses,
    answered: Promise.all(done).then(() => {}),
    [Symbol.dispose]() {
      for (const session of sessions) session.destroy();
    },
  };
}
