/** Backend for the life of a client; its gateway may be replaced. */

import { type JsonObject, Listeners } from "#base";
import {
  type McpAbout,
  type McpBackend,
  type McpChange,
  McpError,
  type McpExchange,
  type McpRequest,
  ownTools,
} from "#gateway/mcp";
import type { Attachment } from "./attach.ts";
import { lostCall, PROGRAM_TOOLS, WAITING } from "./lost_call.ts";

export interface SwitchOptions {
  readonly about: McpAbout;
  /** Finds or starts a gateway. */
  readonly open: () => Promise<Attachment>;
  /** Working folder of the client. */
  readonly cwd: string;
  /** Milliseconds. */
  readonly now: () => number;
}

export interface Switch extends McpBackend, AsyncDisposable {
  /** Connects to a gateway before the first request; has an effect once. */
  warm(): void;
}

/** Time after a response for which the gateway counts as alive. */
const ALIVE_MS = 50;
const INTERNAL = -32603;

interface Watch {
  readonly uris: readonly string[];
  stop: () => void;
}

/** Builds the switch; it connects to no gateway yet. */
export function createSwitch({ about, open, cwd, now }: SwitchOptions): Switch {
  const listeners = new Listeners<McpChange>();
  const watches = new Set<Watch>();
  let current: Promise<Attachment> | undefined;
  let live: Attachment | undefined;
  let answered = -Infinity;
  let warmed = false;

  async function connect(): Promise<Attachment> {
    const attached = await open();
    answered = now();
    attached.backend.onChange((change) => {
      listeners.tell(change);
    });
    live = attached;
    for (const watch of watches) watch.stop = attached.backend.watch(watch.uris);
    return attached;
  }

  function gateway(): Promise<Attachment> {
    const opening = current ??= connect();
    opening.catch(() => drop(opening));
    return opening;
  }

  function drop(attachment: Promise<Attachment>): void {
    if (current === attachment) current = undefined;
  }

  /** Returns a live gateway; replaces one that ended since the last request. */
  async function alive(): Promise<Attachment> {
    const opening = gateway();
    const attached = await opening;
    if (now() - answered < ALIVE_MS || await attached.isAlive()) return attached;
    await replace(opening);
    return await gateway();
  }

  async function replace(attachment: Promise<Attachment>): Promise<void> {
    if (current !== attachment) return;
    current = undefined;
    live = undefined;
    const disposed = Promise.resolve((await attachment)[Symbol.asyncDispose]());
    await disposed.catch(() => {}); // it has ended
    // The new gateway may offer other tools.
    listeners.tell({ kind: "tools" });
  }

  async function handle(request: McpRequest, exchange: McpExchange): Promise<JsonObject> {
    // Clients ask at their start, and do not wait for a gateway.
    if (request.method === "tools/list" && !about.direct) return { tools: ownTools(about) };
    if (!live) exchange.onProgress?.({ progress: 0, message: WAITING });
    const attached = await alive().catch((error) => {
      const reason = error instanceof Error ? error.message : String(error);
      throw new McpError(INTERNAL, reason, { cause: error });
    });
    const seen = watchCalls(request, { ...exchange, cwd });
    try {
      const result = await attached.backend.handle(request, seen.exchange);
      answered = now();
      return result;
    } catch (error) {
      exchange.signal.throwIfAborted();
      if (error instanceof McpError || await attached.isAlive()) throw error;
      const opening = current;
      if (opening && await opening === attached) await replace(opening);
      // A call may have had effects already: only the client can decide to repeat it.
      if (request.method === "tools/call") return lostCall(seen.hasCalled());
      return await handle(request, exchange);
    }
  }

  return {
    handle,
    about: () => about,
    warm() {
      if (warmed) return;
      warmed = true;
      gateway().catch(() => {}); // the first request reports the failure
    },
    watch(uris) {
      const watch: Watch = { uris, stop: () => {} };
      watches.add(watch);
      if (live) watch.stop = live.backend.watch(uris);
      else gateway().catch(() => {}); // the next request reports it
      return () => {
        watches.delete(watch);
        watch.stop();
      };
    },
    withdrawal: (id, until) => live?.backend.withdrawal(id, until),
    onChange: listeners.add,
    async [Symbol.asyncDispose]() {
      listeners.clear();
      const attached = await current?.catch(() => undefined);
      current = undefined;
      await attached?.[Symbol.asyncDispose]();
    },
  };
}

/** Watches by its progress if a program has called a tool: its start is reported first, then its
 * first call at once. */
function watchCalls(
  { params }: McpRequest,
  exchange: McpExchange,
): { readonly exchange: McpExchange; readonly hasCalled: () => boolean } {
  let isCalled = !PROGRAM_TOOLS.includes(String(params.name));
  const onProgress: McpExchange["onProgress"] = (progress) => {
    isCalled ||= progress.progress > 1;
    exchange.onProgress?.(progress);
  };
  return { exchange: { ...exchange, onProgress }, hasCalled: () => isCalled };
}
