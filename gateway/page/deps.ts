/** Parts that the page is built over. */

import type { Log } from "#base";
import type { Registry } from "#packs";
import type { Confirmations, Finder, Shapes, Statistics } from "#runtime";
import type { Frame } from "./views/layout.tsx";

export interface PageDeps {
  readonly registry: Registry;
  readonly finder: Finder;
  readonly shapes: Pick<Shapes, "resultOf">;
  readonly statistics: Pick<Statistics, "enabled" | "read">;
  readonly confirmations: Confirmations;
  /** Folder of the project. */
  readonly project: string;
  readonly limits: () => { readonly bodyBytes: number };
  readonly log: Log;
}

/** Parts that the routes of the page get. */
export interface PageParts {
  readonly deps: PageDeps;
  readonly frame: Frame;
}
