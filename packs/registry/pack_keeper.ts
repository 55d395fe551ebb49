/** Keeps packs whose settings have not changed when the configuration is loaded again. */

import { isDeepStrictEqual } from "node:util";
import type { JsonObject } from "#base";
import type { Pack } from "../types.ts";

/** Plan of one configured pack. */
export interface PackPlan<P extends Pack = Pack> {
  readonly name: string;
  /** All that the pack depends on: equal settings keep the pack. */
  readonly settings: unknown;
  readonly make: () => P;
}

export interface PackKeeper<P extends Pack = Pack> {
  /** Packs of these plans, in their order: kept from the last time, or made now. */
  take(plans: readonly PackPlan<P>[]): readonly P[];
  /** Names that the last plans changed: `{ added, changed, removed }`, empty lists left out. */
  changes(): JsonObject;
}

/** Keeps no packs at first. The caller of `take` disposes of the packs.
 *
 * @example
 * ```ts
 * import { createLocalPack, createPackKeeper } from "#packs";
 * const keeper = createPackKeeper();
 * const plan = (level: number) => [
 *   { name: "sums", settings: { level }, make: () => createLocalPack("sums", []) },
 * ];
 * const [first] = keeper.take(plan(1));
 * console.assert(keeper.take(plan(1))[0] === first);
 * console.assert(keeper.take(plan(2))[0] !== first);
 * ```
 */
export function createPackKeeper<P extends Pack = Pack>(): PackKeeper<P> {
  let entries = new Map<string, Entry<P>>();
  let before: ReadonlyMap<string, Entry<P>> = entries;
  return {
    take(plans) {
      const next = plans.map(({ name, settings, make }) => {
        const last = entries.get(name);
        const same = last && isDeepStrictEqual(last.settings, settings);
        return [name, same ? last : { settings, pack: make() }] as const;
      });
      before = entries;
      entries = new Map(next);
      return next.map(([, { pack }]) => pack);
    },
    changes() {
      const names = [...entries.keys()];
      const all = {
        added: names.filter((name) => !before.has(name)),
        changed: names.filter((name) => before.has(name) && before.get(name) !== entries.get(name)),
        removed: [...before.keys()].filter((name) => !entries.has(name)),
      };
      return Object.fromEntries(Object.entries(all).filter(([, some]) => some.length > 0));
    },
  };
}

interface Entry<P extends Pack> {
  readonly settings: unknown;
  readonly pack: P;
}
