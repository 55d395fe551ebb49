/** Names of the import map, as the package needs them. */

import map from "../import_map.json" with { type: "json" };

const NPM = /^npm:((?:@[^/]+\/)?[^@/]+)@([^/]+)/;
const versions = new Map<string, string>();
const aliases = new Map<string, string>();
for (const [name, target] of Object.entries(map.imports)) {
  const [, npm, version] = NPM.exec(target) ?? [];
  if (npm !== undefined && version !== undefined) versions.set(npm, version);
  else aliases.set(name, target.replace(/^\.\//, ""));
}

export const imports = {
  /** Doors of the program's folders, `#base` to `base/mod.ts`. */
  aliases: aliases as ReadonlyMap<string, string>,
  denoVersion: Deno.readTextFileSync(new URL("../.dvmrc", import.meta.url)).trim(),
  /** Exact version of an npm package. Throws where the import map has none. */
  versionOf(name: string): string {
    const version = versions.get(name);
    if (version === undefined) throw new Error(`Cannot pack: the import map has no "${name}"`);
    return version;
  },
};
