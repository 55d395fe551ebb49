/** One backend for the life of a client, whichever gateway is behind it at the moment. */

import {
  type McpAbout,
  type McpBackend,
  type McpChange,
  McpError,
  type McpExchange,
  type McpRequest,
} from "#gateway/mcp";
import type { JsonObject } from "#sandbox";
import type { Attached } from "./attach.ts";

export interface SwitchOptions {
  readonly about: McpAbout;
  /** Finds or starts a gateway. */
  readonly open: () => Promise<Attached>;
  /** Milliseconds. */
  readonly now: () => number;
}

export interface Switch extends McpBackend, AsyncDisposable {
  /** Looks for a gateway before anybody asks; once. */
  warm(): void;
}

/** A gateway that answered so lately is taken to be there. */
const LATELY_MS = 50;
const INTERNAL = -32603;

interface Watch {
  readonly uris: readonly string[];
  stop: () => void;
}

/** Builds the switch; no gateway is looked for yet. */
export function createSwitch({ about, open, now }: SwitchOptions): Switch {
  const listeners = new Set<(change: McpChange) => void>();
  const watches = new Set<Watch>();
  let current: Promise<Attached> | undefined;
  let live: Attached | undefined;
  let answered = -Infinity;
  let warmed = false;

  async function connect(): Promise<Attached> {
    const attached = await open();
    answered = now();
    attached.backend.onChange((change) => {
      for (const listener of listeners) listener(change);
    });
    live = attached;
    for (const watch of watches) watch.stop = attached.backend.watch(watch.uris);
    return attached;
  }

  function gateway(): Promise<Attached> {
    const opening = current ??= connect();
    opening.catch(() => drop(opening));
    return opening;
  }

  function drop(gone: Promise<Attached>): void {
    if (current === gone) current = undefined;
  }

  /** The gateway, another one where the last has gone while nobody asked. */
  async function alive(): Promise<Attached> {
    const opening = gateway();
    const attached = await opening;
    if (now() - answered < LATELY_MS || await attached.isAlive()) return attached;
    await replace(opening);
    return await gateway();
  }

  async function replace(gone: Promise<Attached>): Promise<void> {
    if (current !== gone) return;
    current = undefined;
    live = undefined;
    const disposed = Promise.resolve((await gone)[Symbol.asyncDispose]());
    await disposed.catch(() => {}); // it is gone
    // What it had to offer may be another now.
    for (const listener of listeners) listener({ kind: "tools" });
  }

  async function handle(request: McpRequest, exchange: McpExchange): Promise<JsonObject> {
    const attached = await alive().catch((error) => {
      const reason = error instanceof Error ? error.message : String(error);
      throw new McpError(INTERNAL, reason, { cause: error });
    });
    try {
      const result = await attached.backend.handle(request, exchange);
      answered = now();
      return result;
    } catch (error) {
      exchange.signal.throwIfAborted();
      if (error instanceof McpError || await attached.isAlive()) throw error;
      const opening = current;
      if (opening && await opening === attached) await replace(opening);
      // A call may have had its effects already: only the client can decide to repeat it.
      if (request.method === "tools/call") return ended();
      return await handle(request, exchange);
    }
  }

  return {
    handle,
    about: () => about,
    warm() {
      if (warmed) return;
      warmed = true;
      // Its failure is told to the first request that needs it.
      gateway().catch(() => {});
    },
    watch(uris) {
      const watch: Watch = { uris, stop: () => {} };
      watches.add(watch);
      if (live) watch.stop = live.backend.watch(uris);
      else gateway().catch(() => {}); // told to the next request
      return () => {
        watches.delete(watch);
        watch.stop();
      };
    },
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async [Symbol.asyncDispose]() {
      listeners.clear();
      const attached = await current?.catch(() => undefined);
      current = undefined;
      await attached?.[Symbol.asyncDispose]();
    },
  };
}

function ended(): JsonObject {
  const text = "The gateway ended while it worked on this: what was called before may have had " +
    "its effects: look at the state, then send it again; another gateway has taken over";
  return { content: [{ type: "text", text }], isError: true };
}
