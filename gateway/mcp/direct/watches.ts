/** Subscriptions to resources: one at the server, for as many clients as there are. */

import { createSemaphore, type Log, type Semaphore } from "#base";
import type { ServerPack } from "#packs";

export interface Watches extends AsyncDisposable {
  /** Subscribes to a resource at its server; the returned function unsubscribes. Changes of a resource
   * with a URI of over 8,000 characters, or beyond 1,000 resources, are not reported. */
  watch(uri: string): () => void;
  isWatched(uri: string): boolean;
}

/** Characters of a URI whose changes are passed on. */
export const MOST_URI = 8_000;
/** Resources of all servers. */
export const MOST_WATCHED = 1_000;
/** Subscriptions that begin or end at one server at the same time: each may take a connection. */
const AT_ONCE = 8;

export interface WatchesDeps {
  readonly log: Log;
  /** Names of servers that are not watched. */
  readonly asking: readonly string[];
  /** Servers that may have a resource. */
  readonly candidates: (uri: string, signal: AbortSignal) => Promise<readonly ServerPack[]>;
}

interface Watched {
  users: number;
  readonly stop: Promise<() => Promise<void>>;
}

/** Builds the subscriptions; disposal ends them all. */
export function createWatches({ log, asking, candidates }: WatchesDeps): Watches {
  const watched = new Map<string, Watched>();
  const places = new Map<string, Semaphore>();

  async function inTurn<T>(server: string, work: () => Promise<T>): Promise<T> {
    const place = places.get(server) ?? createSemaphore(AT_ONCE, AT_ONCE);
    places.set(server, place);
    const release = await place.acquire(undefined, undefined);
    try {
      return await work();
    } finally {
      release();
    }
  }

  async function start(uri: string): Promise<() => Promise<void>> {
    const { signal } = new AbortController();
    for (const server of await candidates(uri, signal)) {
      const { name } = server;
      if (asking.includes(name)) continue;
      try {
        const stop = await inTurn(name, () => server.watch(uri, { signal }));
        return () => inTurn(name, stop);
      } catch (error) {
        log("debug", "A server does not report changes of a resource", {
          server: name,
          error: String(error),
        });
      }
    }
    return () => Promise.resolve();
  }

  return {
    isWatched: (uri) => uri.length <= MOST_URI && watched.has(uri),
    watch(uri) {
      if (uri.length > MOST_URI || watched.size >= MOST_WATCHED && !watched.has(uri)) {
        log("warning", "Changes of a resource are not reported", {
          uri: uri.slice(0, 200),
          most_characters: MOST_URI,
          most_resources: MOST_WATCHED,
        });
        return () => {};
      }
      const watch = watched.get(uri) ?? { users: 0, stop: start(uri) };
      watch.users++;
      watched.set(uri, watch);
      let stopped = false;
      return () => {
        if (stopped) return;
        stopped = true;
        if (--watch.users > 0) return;
        watched.delete(uri);
        void watch.stop.then((stop) => stop()).catch(() => {}); // the server may be gone
      };
    },
    async [Symbol.asyncDispose]() {
      const stops = [...watched.values()].map(({ stop }) => stop.then((end) => end()));
      watched.clear();
      await Promise.allSettled(stops);
    },
  };
}
