/** Where the registries are. */

import type { PackageSettings } from "./settings.ts";
import type { PackageName, RegistryName } from "./package_name.ts";

export type RegistryUrls = Readonly<Record<RegistryName, string>>;

/** The config's address, else what the tools of that world are told by the environment, else the
 * public registry. */
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

/** Where the versions of a package are listed. */
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
