/** Parts that the page is built over. */

import type { Log } from "#base";
import type { Registry } from "#packs";
import type { Confirmations, Finder, Journal, Shapes, Statistics } from "#runtime";
import type { ResultSource } from "../mcp/results.ts";
import type { Frame } from "./views/layout.tsx";

export interface PageDeps {
  readonly registry: Registry;
  readonly finder: Finder;
  readonly shapes: Pick<Shapes, "resultOf">;
  readonly statistics: Pick<Statistics, "enabled" | "read">;
  readonly journal: Pick<Journal, "list" | "facets" | "find">;
  readonly resultSource: Pick<ResultSource, "read">;
  readonly confirmations: Confirmations;
  /** Folder of the project. */
  readonly project: string;
  readonly limits: () => { readonly bodyBytes: number };
  /** Takes secrets out of a text. */
  readonly redact: (text: string) => string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly log: Log;
}

/** Parts that the routes of the page get. */
export interface PageParts {
  readonly deps: PageDeps;
  readonly frame: Frame;
}
