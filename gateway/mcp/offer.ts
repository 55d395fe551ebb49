/** What the config offers beside `run`: it can change while clients are connected. */

import { isDeepStrictEqual } from "node:util";
import { missingDirect, type Registry, type ServerPack } from "#packs";
import type { Log } from "#sandbox";
import { createDirectTools, directPacks, type DirectTools } from "./direct_tools.ts";
import type { Holder } from "./held.ts";
import { createPassthrough, type Passthrough } from "./passthrough.ts";
import type { McpChange } from "./types.ts";

/** What the config says of it. */
export interface Offered {
  readonly servers: readonly ServerPack[];
  /** Servers, or `server.tool`. */
  readonly direct: readonly string[];
}

export interface Offer extends AsyncDisposable {
  /** As they are now. Who took one keeps it for its request. */
  readonly tools: DirectTools;
  readonly passthrough: Passthrough;
  /** Takes another in place of the one before; where it differs, every list may be another. */
  update(offered: Offered): void;
  /** Asks for changes of these addresses, of whoever has them, until the returned function is
   * called. */
  watch(uris: readonly string[]): () => void;
  onChange(listener: (change: McpChange) => void): () => void;
}

export interface OfferDeps {
  readonly registry: Registry;
  readonly holder: Holder;
  readonly log: Log;
}

interface Watch {
  readonly uri: string;
  stop: () => void;
}

/** Opens what is offered first. */
export function createOffer(first: Offered, deps: OfferDeps): Offer {
  const listeners = new Set<(change: McpChange) => void>();
  const watches = new Set<Watch>();
  let offered = offeredServers(first, deps.registry);
  let parts = open(offered, deps, tell);

  function tell(change: McpChange): void {
    for (const listener of listeners) listener(change);
  }

  return {
    get tools() {
      return parts.tools;
    },
    get passthrough() {
      return parts.passthrough;
    },
    update(given) {
      const next = offeredServers(given, deps.registry);
      if (isSame(offered, next)) return;
      const before = parts;
      offered = next;
      parts = open(next, deps, tell);
      for (const watch of watches) watch.stop = parts.passthrough.watch(watch.uri);
      before.close();
      for (const kind of ["tools", "resources", "prompts"] as const) tell({ kind });
    },
    watch(uris) {
      const mine = uris.map((uri): Watch => ({ uri, stop: parts.passthrough.watch(uri) }));
      for (const watch of mine) watches.add(watch);
      return () => {
        for (const watch of mine) if (watches.delete(watch)) watch.stop();
      };
    },
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async [Symbol.asyncDispose]() {
      listeners.clear();
      watches.clear();
      await parts.close();
    },
  };
}

function open(
  { servers, direct }: Offered,
  { registry, holder, log }: OfferDeps,
  tell: (change: McpChange) => void,
) {
  const passthrough = createPassthrough({ servers, registry, holder, log });
  const tools = createDirectTools({ registry, direct, holder });
  const stops = [
    passthrough.onChange(tell),
    tools.onChange(() => tell({ kind: "tools" })),
    warnOfMissing(direct, { registry, log }),
  ];
  return {
    passthrough,
    tools,
    async close() {
      for (const stop of stops) stop();
      await passthrough[Symbol.asyncDispose]();
    },
  };
}

/** Tells once of each entry that nothing is called; of a tool when its server's list is known. */
function warnOfMissing(
  direct: readonly string[],
  { registry, log }: Pick<OfferDeps, "registry" | "log">,
): () => void {
  if (direct.length === 0) return () => {};
  const told = new Set<string>();
  const tell = () => {
    for (const message of missingDirect(direct, registry.packs())) {
      if (!told.has(message)) log("warning", message);
      told.add(message);
    }
  };
  tell();
  return registry.onChange(tell);
}

/** Only the servers that `direct` names and that are not blocked. */
function offeredServers({ servers, direct }: Offered, registry: Registry): Offered {
  const names = directPacks(direct);
  const isOffered = ({ name }: ServerPack) =>
    names.includes(name) && registry.policy().decidePack(name).level !== "blocked";
  return { direct, servers: servers.filter(isOffered) };
}

/** A server that was made anew is another one. */
function isSame(one: Offered, other: Offered): boolean {
  return isDeepStrictEqual(one.direct, other.direct) &&
    one.servers.length === other.servers.length &&
    one.servers.every((server, index) => server === other.servers[index]);
}
