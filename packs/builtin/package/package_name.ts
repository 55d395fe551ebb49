/** Names of packages: `react`, `npm:react@^18`, `pypi:requests<3`, `jsr:@std/path`. */

import { PackError } from "../../errors.ts";

export const REGISTRIES = ["npm", "pypi", "jsr"] as const;
export type RegistryName = typeof REGISTRIES[number];

export interface PackageName {
  readonly registry: RegistryName;
  readonly name: string;
  /** Range of versions in the registry's own syntax; empty for any. */
  readonly range: string;
}

/** Valid names. Their characters cannot change the path of a request. */
const NAMES: Readonly<Record<RegistryName, RegExp>> = {
  npm: /^(?:@[\w~-][\w.~-]*\/)?[\w~-][\w.~-]*$/,
  pypi: /^[a-z0-9](?:[\w.-]*[a-z0-9])?$/i,
  jsr: /^@[a-z0-9-]+\/[a-z0-9-]+$/,
};

/** Reads a name. Throws `PackError`. */
export function readPackageName(text: string, fallback: RegistryName): PackageName {
  const { prefix, rest = "" } = /^(?:(?<prefix>npm|pypi|jsr):\/?)?(?<rest>.*)$/s
    .exec(text.trim())?.groups ?? {};
  const registry = (prefix as RegistryName | undefined) ?? fallback;
  const parts = registry === "pypi"
    ? /^(?<name>[^\s<>=!~[;@(]+)(?:\[[^\]]*\])?\s*@?(?<range>.*)$/s.exec(rest)?.groups
    : /^(?<name>@?[^@]+)(?:@(?<range>.*))?$/s.exec(rest)?.groups;
  const { name = rest, range = "" } = parts ?? {};
  if (isPackageName(registry, name)) return { registry, name, range: range.trim() };
  const quoted = JSON.stringify(text.slice(0, 100));
  throw new PackError(
    "invalid_arguments",
    `Cannot look up ${quoted}: no package of ${registry} has such a name: write it as ` +
      '"react", "npm:react@^18", "pypi:requests" or "jsr:@std/path"',
  );
}

/** True if a registry could have a package with the name. */
export function isPackageName(registry: RegistryName, name: string): boolean {
  return name.length <= 214 && NAMES[registry].test(name);
}
