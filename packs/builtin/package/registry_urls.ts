/** URLs of the registries. */

import type { PackageSettings } from "./settings.ts";
import type { PackageName, RegistryName } from "./package_name.ts";

export type RegistryUrls = Readonly<Record<RegistryName, string>>;

/** URLs of the config, else those that the environment sets for npm, pip, uv and JSR, else the public
 * registries. */
export function registryUrls(
  { registries }: PackageSettings,
  environment: Readonly<Record<string, string>>,
): RegistryUrls {
  const { NPM_CONFIG_REGISTRY, npm_config_registry, PIP_INDEX_URL, UV_INDEX_URL, JSR_URL } =
    environment;
  const npm = registries.npm || NPM_CONFIG_REGISTRY || npm_config_registry;
  return {
    npm: npm || "https://registry.npmjs.org",
    pypi: registries.pypi || PIP_INDEX_URL || UV_INDEX_URL || "https://pypi.org/simple",
    jsr: registries.jsr || JSR_URL || "https://jsr.io",
  };
}

/** URL of the list of a package's versions. */
export function listingUrl({ registry, name }: PackageName, urls: RegistryUrls): string {
  const base = urls[registry].replace(/\/+$/, "");
  switch (registry) {
    case "npm":
      return `${base}/${name.replace("/", "%2f")}`;
    case "pypi":
      return `${base}/${name.toLowerCase().replace(/[-_.]+/g, "-")}/`;
    case "jsr":
      return `${base}/${name}/meta.json`;
    default:
      return registry satisfies never;
  }
}
