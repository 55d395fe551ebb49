/** Lists of servers as last read: kept until one changes, for entries by name and owners of URIs. */

import type { Log } from "#base";
import type { ServerPack } from "#packs";
import type { McpExchange } from "../types.ts";
import {
  type Catalog,
  gather,
  has,
  type LateServers,
  type ListedEntry,
  type ListKind,
} from "./catalogue.ts";
import type { ShortNames } from "./short_names.ts";
import { listedOwner, type ResourceCatalogs } from "./owners.ts";

export interface KeptLists {
  /** Reads a list. */
  list(kind: ListKind, exchange: Pick<McpExchange, "signal">): Promise<Catalog>;
  /** Finds an entry; reads the list where the kept one lacks it. */
  find(kind: ListKind, id: string, exchange: McpExchange): Promise<ListedEntry | undefined>;
  /** Finds the server that lists a URI or its template; reads the lists where the kept ones lack it. */
  ownerOf(uri: string): Promise<ServerPack | undefined>;
  /** Finds the servers with resources, but for those that take long to start. */
  withResources(signal: AbortSignal): Promise<readonly ServerPack[]>;
  /** Drops what is kept, after a change. */
  forget(): void;
}

export interface KeptListsDeps {
  readonly servers: readonly ServerPack[];
  /** Names of servers whose reads are on `ask` or blocked. */
  readonly asking: readonly string[];
  readonly names: ShortNames;
  readonly log: Log;
  /** Called when a server has started that took too long for the lists. */
  readonly onLateStart: () => void;
}

/** Builds the lists of these servers; nothing is read yet. */
export function createKeptLists(deps: KeptListsDeps): KeptLists {
  const { servers, asking, names, log, onLateStart } = deps;
  const rank = ({ name }: ServerPack) => asking.includes(name) ? 0 : 1;
  // No other server answers for a URI that a server on `ask` lists.
  const askingFirst = servers.toSorted((one, other) => rank(one) - rank(other));
  const late: LateServers = new WeakMap();
  let kept: { readonly [kind in ListKind]?: Catalog } = {};
  let reading: Promise<ResourceCatalogs> | undefined;

  async function list(kind: ListKind, exchange: Pick<McpExchange, "signal">): Promise<Catalog> {
    const ordered = kind === "resources" ? askingFirst : servers;
    const catalog = await gather(ordered, kind, { exchange, names, late, log, onLateStart });
    kept = { ...kept, [kind]: catalog };
    return catalog;
  }

  /** Returns what it read itself: a server that reports changes meanwhile empties what is kept. */
  async function readResources(): Promise<ResourceCatalogs> {
    const exchange = { signal: new AbortController().signal }; // several requests may wait for it
    const [resources, resourceTemplates] = await Promise.all([
      list("resources", exchange),
      list("resourceTemplates", exchange),
    ]);
    return { resources, resourceTemplates };
  }

  return {
    list,
    async find(kind, id, exchange) {
      return kept[kind]?.get(id) ?? (await list(kind, exchange)).get(id);
    },
    async ownerOf(uri) {
      const owner = await listedOwner(uri, kept);
      if (owner) return owner;
      reading ??= readResources().finally(() => reading = undefined);
      return await listedOwner(uri, await reading);
    },
    async withResources(signal) {
      const options = { signal, late, onLateStart };
      const able = await Promise.all(
        servers.map((server) => has(server, "resources", options).catch(() => false)),
      );
      return servers.filter((_, index) => able[index]);
    },
    forget() {
      kept = {};
    },
  };
}
