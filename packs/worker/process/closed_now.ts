/** Closed names of one pack, read from the disk again when they are older than two seconds. */

import type { PackHeader } from "../describe/header.ts";
import type { Grants, PackFile } from "../types.ts";
import { type Closed, closedNames } from "./closed_names.ts";
import { type LaunchDeps, placesOf } from "./launch.ts";
import { allow } from "./permissions.ts";

/** Throws `PackUnusable` where the names cannot be closed. */
export type ClosedNow = (header: PackHeader | undefined) => Promise<Closed>;

export interface ClosedNowOptions {
  readonly granted: Grants;
  readonly deps: Pick<LaunchDeps, "project" | "home">;
  /** Milliseconds on a clock that never goes back. */
  readonly now?: () => number;
}

interface Search {
  readonly header: PackHeader | undefined;
  readonly at: number;
  readonly closed: Promise<Closed>;
  isOver: boolean;
}

const FRESH_MS = 2_000;

/** Makes the reader. Calls share a search that is under way. */
export function createClosedNow(
  file: PackFile,
  { granted, deps, now = () => performance.now() }: ClosedNowOptions,
): ClosedNow {
  let latest: Search | undefined;

  function isFresh(search: Search): boolean {
    return !search.isOver || now() - search.at < FRESH_MS;
  }

  return (header) => {
    if (latest && latest.header === header && isFresh(latest)) return latest.closed;
    const places = placesOf(file, deps);
    const { paths } = allow(header?.permissions ?? {}, granted, places);
    const closed = closedNames({ pack: file.name, paths, places })
      .finally(() => search.isOver = true);
    const search: Search = { header, at: now(), closed, isOver: false };
    latest = search;
    return closed;
  };
}
