/** Precedence of packs with the same name. */

import type { Log } from "#base";
import { camelCase } from "./names.ts";
import type { Pack } from "../types.ts";

/** Removes the built-in packs whose name, or property in code, another pack has: configured packs and
 * files of the user have precedence. */
export function withoutYielding(packs: readonly Pack[], log: Log): readonly Pack[] {
  const owners = new Map<string, Pack>();
  for (const pack of packs) if (!pack.yields) owners.set(camelCase(pack.name), pack);
  return packs.filter((pack) => {
    const owner = pack.yields ? owners.get(camelCase(pack.name)) : undefined;
    if (!owner) return true;
    log("info", `The built-in pack "${pack.name}" gives way to yours of the same name`, {
      pack: owner.name,
      source: owner.source,
    });
    return false;
  });
}
