/** Tools, resources and prompts offered beside `run`; they can change while clients are connected. */

import { isDeepStrictEqual } from "node:util";
import { Listeners, type Log } from "#base";
import { missingDirect, type Registry, type ServerPack } from "#packs";
import type { Inbox } from "#runtime";
import { createDirectTools, directPacks, type DirectTools } from "./direct_tools.ts";
import type { SuspendedWork } from "../client/suspended_work.ts";
import { createPassthrough, type Passthrough } from "./passthrough.ts";
import type { ReadsDeps } from "./reads.ts";
import type { McpChange } from "../types.ts";
import { createShortNames, type ShortNames } from "./short_names.ts";

/** Configuration of the offer. */
export interface OfferSettings {
  readonly servers: readonly ServerPack[];
  /** Servers, or `server.tool`. */
  readonly direct: readonly string[];
}

export interface Offer extends AsyncDisposable {
  /** Current tools and passthrough; a request keeps the ones that it began with. */
  readonly tools: DirectTools;
  readonly passthrough: Passthrough;
  /** Replaces the settings; if they differ, listeners are notified that all lists may have changed. */
  update(settings: OfferSettings): void;
  /** Watches resources for changes, at the servers that have them, until the returned function is
   * called. */
  watch(uris: readonly string[]): () => void;
  onChange(listener: (change: McpChange) => void): () => void;
}

export interface OfferDeps extends Pick<ReadsDeps, "onRefused"> {
  readonly registry: Registry;
  readonly holder: SuspendedWork;
  readonly inbox: Inbox;
  readonly log: Log;
}

/** Settings under the lists of the moment. */
interface AllowedSettings extends OfferSettings {
  /** Names of servers that nothing is sent to unasked. */
  readonly asking: readonly string[];
}

interface Watch {
  readonly uri: string;
  stop: () => void;
}

/** Builds the offer with its first settings. */
export function createOffer(first: OfferSettings, deps: OfferDeps): Offer {
  const listeners = new Listeners<McpChange>();
  const watches = new Set<Watch>();
  let settings = allowedSettings(first, deps.registry);
  const names = createShortNames(directPacks(first.direct));
  const openDeps = { ...deps, names };
  let parts = open(settings, openDeps, notify);

  function notify(change: McpChange): void {
    listeners.tell(change);
  }

  return {
    get tools() {
      return parts.tools;
    },
    get passthrough() {
      return parts.passthrough;
    },
    update(changed) {
      const next = allowedSettings(changed, deps.registry);
      if (isSame(settings, next)) return;
      const before = parts;
      settings = next;
      const present = deps.registry.packs().map(({ name }) => name);
      names.follow(directPacks(next.direct), { gone: (server) => !present.includes(server) });
      parts = open(next, openDeps, notify);
      for (const watch of watches) watch.stop = parts.passthrough.watch(watch.uri);
      before.close();
      for (const kind of ["tools", "resources", "prompts"] as const) notify({ kind });
    },
    watch(uris) {
      const mine = uris.map((uri): Watch => ({ uri, stop: parts.passthrough.watch(uri) }));
      for (const watch of mine) watches.add(watch);
      return () => {
        for (const watch of mine) if (watches.delete(watch)) watch.stop();
      };
    },
    onChange: listeners.add,
    async [Symbol.asyncDispose]() {
      listeners.clear();
      watches.clear();
      await parts.close();
    },
  };
}

function open(
  { servers, direct, asking }: AllowedSettings,
  deps: OfferDeps & { readonly names: ShortNames },
  notify: (change: McpChange) => void,
) {
  const passthrough = createPassthrough({ ...deps, servers, asking });
  const tools = createDirectTools({ ...deps, direct });
  const stops = [
    passthrough.onChange(notify),
    tools.onChange(() => notify({ kind: "tools" })),
    warnOfMissing(direct, deps),
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

/** Warns once of each entry that matches no tool, as soon as the list of its server is known. */
function warnOfMissing(
  direct: readonly string[],
  { registry, log }: Pick<OfferDeps, "registry" | "log">,
): () => void {
  if (direct.length === 0) return () => {};
  const reported = new Set<string>();
  const report = () => {
    for (const message of missingDirect(direct, registry.packs())) {
      if (!reported.has(message)) log("warning", message);
      reported.add(message);
    }
  };
  report();
  return registry.onChange(report);
}

/** Keeps the servers that `direct` names and that are not blocked. */
function allowedSettings({ servers, direct }: OfferSettings, registry: Registry): AllowedSettings {
  const names = directPacks(direct);
  const levelOf = ({ name }: ServerPack) => registry.policy().decidePack(name).level;
  const allowed = servers.filter((server) =>
    names.includes(server.name) && levelOf(server) !== "blocked"
  );
  const asking = allowed.map(({ name }) => name).filter((name) => {
    const { level } = registry.policy().decideRead(name);
    return level === "ask" || level === "blocked";
  });
  return { direct, servers: allowed, asking };
}

/** Compares servers by identity: a restarted server is a different one. */
function isSame(one: AllowedSettings, other: AllowedSettings): boolean {
  return isDeepStrictEqual([one.direct, one.asking], [other.direct, other.asking]) &&
    one.servers.length === other.servers.length &&
    one.servers.every((server, index) => server === other.servers[index]);
}
