/** Messages to and from the worker of the statistics. */

import type { Sample, StatsData, StatsQuery } from "../types.ts";

export type StatsJob =
  | { readonly kind: "read"; readonly query: StatsQuery; readonly now: number }
  | { readonly kind: "count"; readonly samples: readonly Sample[] }
  | { readonly kind: "tidy"; readonly now: number; readonly keepMs: number };

export interface StatsRequest {
  readonly folder: string;
  readonly job: StatsJob;
}

export type StatsAnswer =
  | { readonly ok: true; readonly data?: StatsData; readonly aside?: string }
  | { readonly ok: false; readonly reason: string };
