/** `package.json`. */

import { isPackageName } from "../package_name.ts";
import type { Dependency, Skipped } from "./dependency.ts";
import { asRecord } from "../../kit/values.ts";

const GROUPS = ["dependencies", "devDependencies", "peerDependencies", "optionalDependencies"];

/** Reads the dependencies of all groups. */
export function readNpmManifest(
  value: unknown,
): { dependencies: Dependency[]; skipped: Skipped[] } {
  const manifest = asRecord(value);
  const dependencies: Dependency[] = [];
  const skipped: Skipped[] = [];
  for (const group of GROUPS) {
    for (const [key, value] of Object.entries(asRecord(manifest[group]))) {
      const spec = String(value).trim();
      const dependency = readNpmSpec(key, spec);
      if (dependency) dependencies.push({ ...dependency, group });
      else skipped.push({ name: key, spec, reason: "it comes from no registry" });
    }
  }
  return { dependencies, skipped };
}

/** Reads `^1.2.0`, `latest`, `npm:other@1` or `jsr:@std/path@1`; undefined for paths, URLs and the
 * like. */
function readNpmSpec(key: string, spec: string): Omit<Dependency, "group"> | undefined {
  const alias = /^(?<registry>npm|jsr):\/?(?<name>@?[^@/]+(?:\/[^@/]+)?)(?:@(?<range>[^/]*))?/.exec(
    spec,
  )?.groups;
  const { registry = "npm", name = key, range = alias ? "" : spec } = alias ?? {};
  if (registry !== "npm" && registry !== "jsr") return undefined;
  if (!isPackageName(registry, name) || /[:/]/.test(range)) return undefined;
  return { name, registry, range };
}
