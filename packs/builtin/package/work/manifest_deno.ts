/** `deno.json` and import maps. */

import { isPackageName } from "../package_name.ts";
import type { Dependency, Skipped } from "./dependency.ts";
import { asRecord } from "../../kit/values.ts";

/** Reads the packages of npm and JSR in `imports` and `scopes`. */
export function readDenoManifest(
  value: unknown,
): { dependencies: Dependency[]; skipped: Skipped[] } {
  const { imports, scopes } = asRecord(value);
  const dependencies: Dependency[] = [];
  const skipped: Skipped[] = [];
  const groups = [["imports", imports], ...Object.entries(asRecord(scopes))] as const;
  for (const [group, entries] of groups) {
    for (const [key, target] of Object.entries(asRecord(entries))) {
      const spec = String(target);
      const dependency = readSpecifier(spec);
      if (dependency) dependencies.push({ ...dependency, group });
      else if (/^[a-z]+:/.test(spec)) {
        skipped.push({ name: key, spec, reason: "it comes from no registry" });
      }
    }
  }
  return { dependencies, skipped };
}

/** Reads a specifier: `npm:@scope/name@^1/sub/path`. */
function readSpecifier(spec: string): Omit<Dependency, "group"> | undefined {
  const { registry, name = "", range = "" } =
    /^(?<registry>npm|jsr):\/?(?<name>(?:@[^@/]+\/)?[^@/]+)(?:@(?<range>[^/]*))?(?:\/.*)?$/.exec(
      spec,
    )
      ?.groups ?? {};
  if (registry !== "npm" && registry !== "jsr") return undefined;
  return isPackageName(registry, name) ? { name, registry, range } : undefined;
}
