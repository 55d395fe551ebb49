/** A pack that comes with Toolscript and is not configured yet. */

import { createLocalPack } from "../../local.ts";
import type { Pack } from "../../types.ts";

export interface OffPackOptions {
  readonly description: string;
  /** The way to switch it on: `set packs.brave.api_key`. */
  readonly way: string;
}

/** Makes the pack: it has no tools and is in no instructions; help and errors say the way. */
export function createOffPack(name: string, { description, way }: OffPackOptions): Pack {
  return {
    ...createLocalPack(name, []),
    description,
    yields: true,
    status: () => ({ state: "disabled", transport: "local", error: null }),
    problem: () => `it is off: ${way}`,
  };
}
