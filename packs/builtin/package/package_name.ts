/** Packages as they are written: `react`, `npm:react@^18`, `pypi:requests<3`, `jsr:@std/path`. */

import { PackError } from "../../errors.ts";

export const REGISTRIES = ["npm", "pypi", "jsr"] as const;
export type RegistryName = typeof REGISTRIES[number];

export interface PackageName {
  readonly registry: RegistryName;
  readonly name: string;
  /** Versions that are asked for, as the registry's world writes it; empty for any. */
  readonly range: string;
}

/** Letters that cannot lead a request anywhere else. */
const NAMES: Readonly<Record<RegistryName, RegExp>> = {
  npm: /^(?:@[\w~-][\w.~-]*\/)?[\w~-][\w.~-]*$/,
  pypi: /^[a-z0-9](?:[\w.-]*[a-z0-9])?$/i,
  jsr: /^@[a-z0-9-]+\/[a-z0-9-]+$/,
};

/** Reads one, or throws `PackError`. */
export function readPackageName(written: string, fallback: RegistryName): PackageName {
  const { prefix, rest = "" } = /^(?:(?<prefix>npm|pypi|jsr):\/?)?(?<rest>.*)$/s
    .exec(written.trim())?.groups ?? {};
  const registry = (prefix as RegistryName | undefined) ?? fallback;
  const parts = registry === "pypi"
    ? /^(?<name>[^\s<>=!~[;@(]+)(?:\[[^\]]*\])?\s*@?(?<range>.*)$/s.exec(rest)?.groups
    : /^(?<name>@?[^@]+)(?:@(?<range>.*))?$/s.exec(rest)?.groups;
  const { name = rest, range = "" } = parts ?? {};
  if (isPackageName(registry, name)) return { registry, name, range: range.trim() };
  const shown = JSON.stringify(written.slice(0, 100));
  throw new PackError(
    "invalid_arguments",
    `Cannot look up ${shown}: no package of ${registry} has such a name: write it as ` +
      '"react", "npm:react@^18", "pypi:requests" or "jsr:@std/path"',
  );
}

/** Whether a registry could have a package of the name. */
export function isPackageName(registry: RegistryName, name: string): boolean {
  return name.length <= 214 && NAMES[registry].test(name);
}
