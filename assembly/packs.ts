/** Packs behind the registry: made from a configuration, started, replaced. */

import type { JsonObject } from "#base";
import type { Config } from "#config";
import {
  createProjPack,
  type Pack,
  type ServerPack,
  untrustedServers,
  type WorkerPack,
} from "#packs";
import {
  createOtPack,
  createOtPlaces,
  createSecurityPolicy,
  createSnippetPack,
  type OtPlaces,
} from "#runtime";
import { accountServers } from "#packs/server";
import type { Base } from "./base.ts";
import type { Engine } from "./engine.ts";
import { createPackSources, type PackSources } from "./pack_sources.ts";

export interface ConfiguredPacks extends AsyncDisposable {
  servers(): readonly ServerPack[];
  /** Puts the packs of this configuration into the registry, in place of those before. Resolves when
   * the packs that left and have no call under way have ended. */
  replace(config: Config): Promise<void>;
  /** The same for the packs in files alone. */
  replaceExtensions(config: Config): Promise<void>;
  /** Starts the extensions, and the servers that are new or have lost their connection. */
  start(): void;
  startExtensions(): void;
  /** Changes of the packs in files, as a reload reports them. */
  changes(): JsonObject;
}

/** Makes no pack yet. */
export function createConfiguredPacks(parts: Base & Engine): ConfiguredPacks {
  const { registry } = parts;
  const sources = createPackSources(parts, registry);
  const places = createOtPlaces();
  let servers: readonly ServerPack[] = [];
  let started: readonly ServerPack[] = [];
  let extensions: readonly WorkerPack[] = [];

  /** Puts the built-in packs last, so that names go to packs that the user has configured. */
  async function register(config: Config): Promise<void> {
    const local = localPacks(config, { ...parts, closed: sources.closed, places });
    const packs = [...local, ...servers, ...extensions, ...sources.builtin(config)];
    const untrusted = untrustedServers(config.trust.servers, packs);
    const policy = createSecurityPolicy(config.security, {
      effects: config.effects,
      rules: config.rules,
      project: config.project,
      accounts: accountServers(config.servers),
    });
    await registry.replace([...packs, ...untrusted], policy);
  }

  function startExtensions(): void {
    for (const pack of extensions) pack.start();
  }

  return {
    servers: () => servers,
    replace(config) {
      servers = sources.servers(config);
      extensions = sources.extensions(config);
      return register(config);
    },
    replaceExtensions(config) {
      extensions = sources.extensions(config);
      return register(config);
    },
    start() {
      const before = started;
      started = servers;
      for (const server of servers) {
        const { state } = server.status();
        const isDown = state === "disconnected" || state === "needs-auth";
        if (isDown || !before.includes(server)) server.start();
      }
      startExtensions();
    },
    startExtensions,
    changes: () => sources.changedExtensions(),
    [Symbol.asyncDispose]: () => sources.closed[Symbol.asyncDispose](),
  };
}

interface LocalParts extends Base, Engine {
  readonly closed: PackSources["closed"];
  readonly places: OtPlaces;
}

/** Packs that the configuration fills. They hold no state of their own, and are made again with
 * each. */
function localPacks(config: Config, parts: LocalParts): Pack[] {
  const { projects, snippets, project: cwd } = config;
  const {
    options,
    live,
    registry,
    finder,
    shapes,
    results,
    sandbox,
    statistics,
    reader,
    runner,
    closed,
  } = parts;
  const packs = [createOtPack({
    version: options.version,
    registry: () => registry,
    finder,
    learned: (entry) => shapes.resultOf(entry),
    docs: config.docs,
    store: results,
    places: parts.places,
    maxInlineBytes: config.output.maxInlineBytes,
    aliases: config.alias,
    snippets,
    instructions: config.prompts.packs,
    cwd,
    deno: Deno.version.deno,
    sandbox: () => ({ ...sandbox.status() }),
    direct: config.direct,
    statistics,
    notify: { ...config.notify, now: Date.now },
    closed,
    async reload() {
      const outcome = await live.reload();
      if (outcome.kind === "reloaded") await shapes.forget();
      return outcome;
    },
  })];
  if (projects.length > 0) packs.push(createProjPack(projects));
  if (Object.keys(snippets).length > 0) {
    packs.push(
      createSnippetPack({ snippets, run: runner.run, expand: reader.expand.bind(reader), cwd }),
    );
  }
  return packs;
}
