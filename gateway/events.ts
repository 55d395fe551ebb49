/** `GET /events`: what happens in the gateway, as server-sent events. */

import type { Registry } from "#packs";
import { type BoundedStream, openStream } from "./bounded_stream.ts";
import { HttpError } from "./problem.ts";

/** An event; its type becomes the name, the rest the data. */
export interface GatewayEvent {
  readonly type: string;
  readonly [key: string]: unknown;
}

type Send = (event: GatewayEvent) => void;

/** Tells a function of each event; returns the function that ends that. */
export type EventFeed = (send: Send) => () => void;

export interface Events extends Disposable {
  /** Response with the stream. Throws 429 where too many are open. */
  open(): Response;
}

const MOST_STREAMS = 64;
/** Bytes that wait for a client; calls are left out where more do. */
const MOST_WAITING = 262_144;
/** Interval of empty lines, by which both sides notice that the other has gone. */
const BEAT_MS = 15_000;

/** Builds the streams over their feeds, which are heard only while a stream is open. */
export function createEvents(feeds: readonly EventFeed[]): Events {
  const streams = new Set<BoundedStream>();
  let leave: (() => void)[] = [];
  let beat: ReturnType<typeof setInterval> | undefined;

  function listen(): void {
    leave = feeds.map((feed) => feed((event) => tell(event)));
    beat = setInterval(() => sendAll(":\n\n", true), BEAT_MS);
    Deno.unrefTimer(beat);
  }

  function tell({ type, ...data }: GatewayEvent): void {
    sendAll(`event: ${type}\ndata: ${JSON.stringify(data)}\n\n`, type === "call");
  }

  function sendAll(text: string, mayDrop: boolean): void {
    const bytes = new TextEncoder().encode(text);
    for (const stream of streams) {
      if (stream.hasRoom()) stream.send(bytes);
      else if (!mayDrop) end(stream); // a client that does not read is let go
    }
  }

  function end(stream: BoundedStream): void {
    stream.end();
    remove(stream);
  }

  function remove(stream: BoundedStream): void {
    streams.delete(stream);
    if (streams.size > 0) return;
    clearInterval(beat);
    for (const stop of leave.splice(0)) stop();
  }

  return {
    open() {
      if (streams.size >= MOST_STREAMS) {
        throw new HttpError("busy", `Cannot follow events: ${MOST_STREAMS} streams are open`);
      }
      if (streams.size === 0) listen();
      const stream = openStream(MOST_WAITING, () => remove(stream));
      streams.add(stream);
      stream.send(new TextEncoder().encode("retry: 1000\n\n"));
      const headers = { "content-type": "text/event-stream", "cache-control": "no-store" };
      return new Response(stream.body, { headers });
    },
    [Symbol.dispose]() {
      for (const stream of streams) end(stream);
    },
  };
}

/** Feed of `server` events: a pack of a server or of a worker whose state has changed. */
export function serverFeed(registry: Pick<Registry, "packs" | "onChange">): EventFeed {
  return (send) => {
    let before = statesOf(registry);
    return registry.onChange(() => {
      const states = statesOf(registry);
      for (const [name, state] of states) {
        if (before.get(name) !== state) send({ type: "server", ...JSON.parse(state) });
      }
      for (const name of before.keys()) {
        if (!states.has(name)) send({ type: "server", name, status: "removed" });
      }
      before = states;
    });
  };
}

function statesOf({ packs }: Pick<Registry, "packs">): Map<string, string> {
  return new Map(
    packs().filter(({ source }) => source !== "local").map((pack) => {
      const { state, error } = pack.status();
      const { name } = pack;
      return [name, JSON.stringify({ name, status: state, tools: pack.tools().length, error })];
    }),
  );
}
