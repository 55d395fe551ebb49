/** Rating of a dependency against the newest versions. */

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
  /** Version that the range of the manifest names. */
  readonly declared: string | null;
  /** Newest version that the manifest allows. */
  readonly wanted: string | null;
  readonly latest: string | null;
  /** Step from `declared` to `latest`; null if it is up to date. */
  readonly behind: Step | "unknown" | null;
  /** True if the manifest allows the latest version. */
  readonly in_range: boolean;
  /** Reason for the deprecation of the `wanted` version. */
  readonly deprecated: string | null;
}

/** Compares the range of a manifest with the releases. */
export function rate({ registry, releases, range }: RateInput): Rating {
  const versions = versionsOf(registry);
  const tagged = Object.hasOwn(releases.tags, range) ? releases.tags[range] : undefined;
  const effective = tagged ?? range;
  const latest = latestOf(releases, versions)?.version;
  const fitting = newest(releases, { versions, range: effective, prerelease: false });
  const [best] = fitting;
  const declared = versions.base(effective) ?? best?.version;
  const isComparable = latest !== undefined && declared !== undefined;
  return {
    declared: declared ?? null,
    wanted: best?.version ?? null,
    latest: latest ?? null,
    behind: isComparable ? stepBetween(declared, latest, versions) : "unknown",
    in_range: latest !== undefined && fitting.some(({ version }) => version === latest),
    deprecated: best ? reason(best) : null,
  };
}

function reason({ deprecated, yanked }: Release): string | null {
  return deprecated ?? (yanked ? "yanked" : null);
}
