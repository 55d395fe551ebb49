/** Differences between two loads of the configuration: names alone, never values. */

import { isDeepStrictEqual } from "node:util";
import type { JsonObject } from "#base";
import type { Config } from "./types.ts";

/** Names that were added, removed or changed. */
export interface NameChanges {
  readonly added?: readonly string[];
  readonly changed?: readonly string[];
  readonly removed?: readonly string[];
}

export interface ConfigChanges {
  /** By section: `servers`, `alias`, `snippets`, `projects`, `packs`. */
  readonly entries: Readonly<Record<string, NameChanges>>;
  /** Other sections that changed: `security`, `output`… */
  readonly sections: readonly string[];
  /** Keys that have an effect only once the gateway is started again. */
  readonly restart: readonly string[];
}

/** Settings that are read only when a gateway starts, by their keys in the file. */
const RESTART: Readonly<Record<string, (config: Config) => unknown>> = {
  "gateway.host": ({ gateway }) => gateway.host,
  "gateway.port": ({ gateway }) => gateway.port,
  "gateway.max_body_mb": ({ gateway }) => gateway.maxBodyBytes,
  logging: ({ logging }) => logging,
};
/** Keys about the origin of a configuration, and keys that are reported elsewhere. */
const SILENT = new Set(
  ["project", "file", "warnings", "cacheDir", "secrets", "logging", "trust", "closed", "rules"],
);

/** Compares two configurations. */
export function compareConfigs(before: Config, after: Config): ConfigChanges {
  const [old, now] = [mapsOf(before), mapsOf(after)];
  const entries = Object.keys(now).flatMap((section) => {
    const changes = compareNames(old[section] ?? {}, now[section] ?? {});
    return changes ? [[section, changes] as const] : [];
  });
  const keys = Object.keys(after) as (keyof Config)[];
  return {
    entries: Object.fromEntries(entries),
    sections: keys.filter((key) => {
      if (key === "gateway") return before.gateway.graceMs !== after.gateway.graceMs;
      return !SILENT.has(key) && !(key in now) && !isDeepStrictEqual(before[key], after[key]);
    }),
    restart: Object.entries(RESTART).flatMap(([key, read]) => {
      return isDeepStrictEqual(read(before), read(after)) ? [] : [key];
    }),
  };
}

type Entries = Readonly<Record<string, unknown>>;

/** Sections whose keys the user chooses. */
function mapsOf(config: Config): Readonly<Record<string, Entries>> {
  const { servers, alias, snippets, projects, packs: { extensions, ...builtin } } = config;
  return {
    servers: Object.fromEntries(servers.map((server) => [server.name, server])),
    alias,
    snippets,
    projects: Object.fromEntries(projects.map((project) => [project.name, project])),
    packs: { ...builtin, ...extensions },
  };
}

function compareNames(before: Entries, after: Entries): NameChanges | undefined {
  const [old, now] = [Object.keys(before), Object.keys(after)];
  const added = now.filter((name) => !Object.hasOwn(before, name));
  const removed = old.filter((name) => !Object.hasOwn(after, name));
  const changed = now.filter((name) => {
    return Object.hasOwn(before, name) && !isDeepStrictEqual(before[name], after[name]);
  });
  const all = { added, changed, removed };
  const changes = Object.entries(all).filter(([, names]) => names.length > 0);
  return changes.length > 0 ? Object.fromEntries(changes) : undefined;
}

/** The changes as `ot.reload` returns them, without empty parts. */
export function describeChanges({ entries, sections, restart }: ConfigChanges): JsonObject {
  return {
    ...entries as unknown as JsonObject,
    ...(sections.length > 0 ? { settings: [...sections] } : {}),
    ...(restart.length > 0 ? { needs_restart: [...restart] } : {}),
  };
}
