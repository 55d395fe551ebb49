/** How far a dependency is behind. */

import type { RegistryName } from "../package_name.ts";
import { latestOf, newest } from "./pick.ts";
import type { Release, Releases } from "./releases.ts";
import { type Step, stepBetween, versionsOf } from "./versions.ts";

export interface RateInput {
  readonly registry: RegistryName;
  readonly releases: Releases;
  readonly range: string;
}

export interface Rating {
  /** The version that the manifest is written around. */
  readonly declared: string | null;
  /** The newest that it lets in. */
  readonly wanted: string | null;
  readonly latest: string | null;
  /** From `declared` to `latest`; null where it is up to date. */
  readonly behind: Step | "unknown" | null;
  /** Whether the manifest lets the latest in. */
  readonly in_range: boolean;
  /** Why nobody should use what is wanted. */
  readonly deprecated: string | null;
}

/** Compares what a manifest asks for with what there is. */
export function rate({ registry, releases, range }: RateInput): Rating {
  const versions = versionsOf(registry);
  const tagged = Object.hasOwn(releases.tags, range) ? releases.tags[range] : undefined;
  const effective = tagged ?? range;
  const latest = latestOf(releases, versions)?.version;
  const fitting = newest(releases, { versions, range: effective, prerelease: false });
  // Where the range lets nothing in, all pre-releases were looked at instead.
  const wanted = fitting[0];
  const declared = versions.base(effective) ?? wanted?.version;
  const known = latest !== undefined && declared !== undefined;
  return {
    declared: declared ?? null,
    wanted: wanted?.version ?? null,
    latest: latest ?? null,
    behind: known ? stepBetween(declared, latest, versions) : "unknown",
    in_range: latest !== undefined && fitting.some(({ version }) => version === latest),
    deprecated: wanted ? reason(wanted) : null,
  };
}

function reason({ deprecated, yanked }: Release): string | null {
  return deprecated ?? (yanked ? "yanked" : null);
}
