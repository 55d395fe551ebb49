/** Packs that a configuration names; each stays as long as its settings do. */

import { createNameLookup, http1Fetch, type JsonObject } from "#base";
import { type Config, createToolsGuard, holdsForTools, packSettings } from "#config";
import {
  callWithin,
  type ClosedPaths,
  createBuiltinPacks,
  createClosedPaths,
  createExtensionPlans,
  createLookProcess,
  createPackKeeper,
  createPins,
  createServerPack,
  createTlsFetch,
  type Pack,
  type Registry,
  type ServerPack,
  type WorkerPack,
} from "#packs";
import { createModuleDescriber } from "#runtime";
import {
  createCredentialStore,
  createRenewer,
  createTokenKeeper,
  type TokenKeeper,
} from "#packs/auth";
import type { Base } from "./base.ts";
import type { Engine } from "./engine.ts";
import { createSignInAsker } from "./sign_in_asker.ts";

export interface PackSources {
  readonly closed: ClosedPaths;
  servers(config: Config): readonly ServerPack[];
  /** Packs of `.onetool/tools`; names go to what the configuration itself names. */
  extensions(config: Config): readonly WorkerPack[];
  builtin(config: Config): readonly Pack[];
  /** Changes of `extensions` since the last call. */
  changedExtensions(): JsonObject;
}

/** Makes packs, which call one another through `registry`. */
export function createPackSources(
  base: Base & Pick<Engine, "inbox">,
  registry: Registry,
): PackSources {
  const { options, live, log, tracer, watcher } = base;
  const { home, lazy, version } = options;
  const keepers = {
    servers: createPackKeeper<ServerPack>(),
    builtin: createPackKeeper(),
    extensions: createPackKeeper<WorkerPack>(),
  };
  const deno = Deno.execPath();
  const environment = Deno.env.toObject();
  const describe = createModuleDescriber({ deno });
  const sources = () => live.current.closed;
  const looks = createLookProcess({ environment, now: Date.now });
  const closed = createClosedPaths({ sources, looks, now: Date.now });
  const shared = { log, tracer, watcher, environment };
  const pins = createPins({
    cacheDir: options.config.cacheDir,
    mode: () => live.current.security.pin,
    log,
  });
  const keeper = buildTokenKeeper(base);
  const names = createNameLookup();
  const guard = createToolsGuard({ now: Date.now, clock: () => performance.now() });

  return {
    closed,
    servers({ servers, cacheDir, project }) {
      const own = {
        fetch: http1Fetch,
        keeper,
        pins,
        now: Date.now,
        cacheDir,
        lazy,
        clientVersion: version,
      };
      const deps = { ...shared, ...own, project };
      return keepers.servers.take(servers.map((server) => {
        const tls = server.kind === "stdio" ? undefined : server.tls;
        const own = tls ? { ...deps, fetch: createTlsFetch(http1Fetch, tls) } : deps;
        return { name: server.name, settings: server, make: () => createServerPack(server, own) };
      }));
    },
    extensions(config) {
      const { project, cacheDir, workers, servers } = config;
      const { plans } = createExtensionPlans({
        project,
        home,
        log,
        ...packSettings(config),
        idleMs: workers.idleTimeoutMs,
        servers: servers.map(({ name }) => name),
        deps: {
          ...shared,
          describe,
          project,
          home,
          cacheDir,
          deno,
          callAnother: (call, options) => callWithin(registry, call, options),
          isForeign: ({ scope }) => scope === "project" && live.current.trust.kind === "untrusted",
          trusts: ({ scope }) => scope === "home" || holdsForTools(live.current.trust),
          stillTrusts: async ({ scope }) => scope === "home" || await guard(live.current.trust),
        },
      });
      return keepers.extensions.take(plans);
    },
    builtin({ packs, project }) {
      const own = { fetch: http1Fetch, names, now: Date.now, closed, deno };
      const deps = { project, home, log, environment, ...own };
      const settings: Readonly<Record<string, unknown>> = { ...packs };
      return keepers.builtin.take(
        createBuiltinPacks(packs, deps).map((pack) => {
          return { name: pack.name, settings: settings[pack.name], make: () => pack };
        }),
      );
    },
    changedExtensions: () => keepers.extensions.changes(),
  };
}

/** One keeper for all servers of the gateway. */
function buildTokenKeeper(
  { options: { home, program }, live, log, inbox }: Base & Pick<Engine, "inbox">,
): TokenKeeper {
  const store = createCredentialStore({ home, log });
  const deps = { store, fetch: http1Fetch, now: Date.now };
  return createTokenKeeper({
    ...deps,
    log,
    renew: createRenewer({ ...deps, program, home }),
    asker: createSignInAsker(inbox),
    askTimeoutMs: () => live.current.security.askTimeoutMs,
  });
}
