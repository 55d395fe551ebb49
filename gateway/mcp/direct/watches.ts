/** Subscriptions to resources: one at the server, for as many clients as there are. */

import type { Log } from "#base";
import type { ServerPack } from "#packs";

export interface Watches extends AsyncDisposable {
  /** Subscribes to a resource at its server; the returned function unsubscribes. */
  watch(uri: string): () => void;
  isWatched(uri: string): boolean;
}

/** Characters of a URI whose changes are passed on. */
const MOST_URI = 8_000;

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

  async function start(uri: string): Promise<() => Promise<void>> {
    const { signal } = new AbortController();
    for (const server of await candidates(uri, signal)) {
      if (asking.includes(server.name)) continue;
      try {
        return await server.watch(uri, { signal });
      } catch (error) {
        log("debug", "A server does not report changes of a resource", {
          server: server.name,
          error: String(error),
        });
      }
    }
    return () => Promise.resolve();
  }

  return {
    isWatched: (uri) => uri.length <= MOST_URI && watched.has(uri),
    watch(uri) {
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
