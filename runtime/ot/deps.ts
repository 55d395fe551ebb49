/** Dependencies of the `ot` pack. */

import type { JsonObject } from "#base";
import type { ClosedPaths, InTurn, Registry } from "#packs";
import type { SnippetDefinition } from "../command/types.ts";
import type { ResultStore } from "../reply/store.ts";
import type { Statistics } from "../stats/mod.ts";
import type { Learned } from "../types/mod.ts";
import type { DocsPlace } from "./lookup/docs.ts";
import type { Finder } from "./lookup/find.ts";
import type { Topics } from "./notify.ts";
import type { OtPlaces } from "./places.ts";
import type { Reloaded } from "./reload.ts";

/** Dependencies of one look-up. */
export interface LookupDeps extends OtDeps {
  readonly inTurn: InTurn;
}

export interface OtDeps {
  readonly version: string;
  /** The registry that this pack is part of: there when the first call comes. */
  readonly registry: () => Registry;
  readonly finder: Finder;
  readonly docs: DocsPlace;
  /** Finds what was learned of a tool's results. */
  readonly learned?: Learned;
  readonly store: ResultStore;
  /** Those of the gateway, for all packs that it makes. */
  readonly places: OtPlaces;
  /** Bytes that a reply may have: a page of a stored result has no more. */
  readonly maxInlineBytes: number;
  readonly aliases: Readonly<Record<string, string>>;
  readonly snippets: Readonly<Record<string, SnippetDefinition>>;
  /** Instructions in the config, by name of the pack. */
  readonly instructions: Readonly<Record<string, string>>;
  /** The project's folder. */
  readonly cwd: string;
  /** The version of Deno. */
  readonly deno: string;
  readonly sandbox: () => JsonObject;
  /** Tools that the config offers to MCP clients beside `run`. */
  readonly direct: readonly string[];
  readonly statistics: Statistics;
  /** Where messages go. */
  readonly notify: Omit<Topics, "closed" | "signal">;
  /** Paths that a report or a message may not be written to. */
  readonly closed: ClosedPaths;
  /** Loads the configuration again. */
  readonly reload: () => Promise<Reloaded>;
}
