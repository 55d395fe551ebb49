/** Names of the packs that a configuration leads to, before any of them is made. */

import { type BraveSettings, isBraveReady } from "./builtin/brave/settings.ts";
import { isLlmReady, type LlmSettings } from "./builtin/llm/settings.ts";
import { PACKS } from "./builtin/settings.ts";
import { readPurpose } from "./mcp/tools/tool_cache.ts";
import { purposeOf } from "./purpose.ts";
import { camelCase } from "./registry/names.ts";
import type { ServerConfig } from "./server_config.ts";
import { discoverPacks, type PackPlaces, reservedNames } from "./worker/discover/discover.ts";

export { packNames, packPaths } from "./worker/discover/discover.ts";

export interface ConfiguredPacks extends PackPlaces {
  readonly servers: readonly { readonly name: string; readonly enabled: boolean }[];
  readonly projects: readonly unknown[];
  readonly snippets: Readonly<Record<string, unknown>>;
  /** Settings of built-in and extension packs, by name. */
  readonly packs: Readonly<Record<string, object>>;
  /** Trust in the project: decides which of its packs may start. */
  readonly trust: { readonly kind: string };
}

/** Lists the names in the order of the gateway's registry, without `ot`, which is always there. Makes
 * no pack: `toolscript mcp` answers its client with this before a gateway runs. */
export function configuredPacks(options: ConfiguredPacks): readonly string[] {
  const { project, home, checksAbove, servers, projects, snippets, packs, trust } = options;
  const extensions = discoverPacks({
    project,
    home,
    checksAbove,
    reserved: reservedNames(servers.map(({ name }) => name)),
    ...(trust.kind === "untrusted" ? { yieldsTo: [] } : {}),
  }).packs.filter(({ scope }) => trust.kind !== "untrusted" || scope === "home");
  const own = [
    ...(projects.length > 0 ? ["proj"] : []),
    ...(Object.keys(snippets).length > 0 ? ["snippets"] : []),
  ];
  const yours = [
    ...own,
    ...servers.filter(({ enabled }) => enabled).map(({ name }) => name),
    ...extensions.map(({ name }) => name),
  ];
  const keys = new Set(
    [...yours, ...servers.map(({ name }) => name)].map((name) => camelCase(name)),
  );
  const builtin = Object.entries(packs)
    .filter(([name, settings]) => isOn(name, settings) && !keys.has(camelCase(name)))
    .map(([name]) => name);
  return [...yours, ...builtin];
}

/** Purpose of a pack in two or three words: from the text that the configuration has on it, as it was
 * saved with a server's tool list, or from what the settings of a built-in one say. */
export function configuredPurpose(
  name: string,
  { texts, servers, cacheDir }: {
    readonly texts: Readonly<Record<string, string>>;
    readonly servers: readonly ServerConfig[];
    readonly cacheDir: string;
  },
): string {
  const server = servers.find((server) => server.name === name);
  if (server && !Object.hasOwn(texts, name)) return readPurpose(server, cacheDir);
  const builtin: Readonly<Record<string, { readonly about: string }>> = PACKS.keys;
  const about = Object.hasOwn(builtin, name) ? builtin[name]?.about.replace(/^.*?:/, "") : "";
  const text = Object.hasOwn(texts, name) ? texts[name] : about;
  return purposeOf({ name, text: text ?? "", tools: [] });
}

/** Returns true for a built-in pack that has tools. */
function isOn(name: string, settings: object): boolean {
  if (!("enabled" in settings) || settings.enabled === false) return false;
  if (name === "brave") return isBraveReady(settings as BraveSettings);
  return name !== "llm" || isLlmReady(settings as LlmSettings);
}
