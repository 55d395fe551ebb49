/** The keys below `packs` in `onetool.yaml`: one table for each pack that comes with Toolscript. */

import type { ObjectRule } from "./rule.ts";

export const PACKS = {
  kind: "object",
  about: "Settings of packs, by name",
  keys: {},
  rest: {
    kind: "map",
    about: "Settings of a pack of yours, as it wants them",
    values: { kind: "any", about: "A setting" },
  },
} as const satisfies ObjectRule;
