/** Choice of the newest versions. */

import { JobRefused } from "../../../jobs/protocol.ts";
import type { RegistryName } from "../package_name.ts";
import type { Release, Releases } from "./releases.ts";
import { type Versions, versionsOf } from "./versions.ts";

export interface PickInput {
  readonly registry: RegistryName;
  readonly releases: Releases;
  readonly range: string;
  readonly prerelease: boolean;
  /** Maximum number of versions; the newest come first. */
  readonly limit: number;
}

export interface Picked extends Release {
  readonly prerelease: boolean;
}

/** Newest versions within a range. Without a range the registry's `latest` is first. */
export function pick({ registry, releases, range, prerelease, limit }: PickInput): Picked[] {
  const versions = versionsOf(registry);
  const tagged = Object.hasOwn(releases.tags, range) ? releases.tags[range] : undefined;
  const candidates = tagged === undefined
    ? newest(releases, { versions, range, prerelease })
    : releases.releases.filter(({ version }) => version === tagged);
  const first = range === "" && !prerelease ? latestOf(releases, versions) : undefined;
  const sorted = first ? [first, ...candidates.filter((one) => one !== first)] : candidates;
  return sorted.slice(0, limit).map((release) => ({
    ...release,
    prerelease: versions.isPrerelease(release.version),
  }));
}

export interface NewestOptions {
  readonly versions: Versions;
  readonly range: string;
  readonly prerelease: boolean;
}

/** All versions within a range, the newest first, deprecated and yanked ones last. Pre-releases count
 * on request, or if there is nothing else. Throws `JobRefused`. */
export function newest(
  { releases }: Releases,
  { versions, range, prerelease }: NewestOptions,
): Release[] {
  const valid = releases.filter(({ version }) => versions.isValid(version));
  const within = (pre: boolean) =>
    valid.filter(({ version }) => {
      const fits = range === "" || range === "*" || versions.satisfies(version, range, pre);
      if (fits === undefined) {
        throw new JobRefused(`"${range}" is not a range of versions or a tag`);
      }
      // A range that names a pre-release allows those of the same version.
      return fits && (pre || range !== "" && range !== "*" || !versions.isPrerelease(version));
    });
  const stable = within(prerelease);
  const matches = stable.length > 0 ? stable : within(true);
  return matches.sort((a, b) =>
    Number(isWithdrawn(a)) - Number(isWithdrawn(b)) || versions.compare(b.version, a.version)
  );
}

/** Latest version: the registry's `latest` tag, else the newest version. */
export function latestOf(releases: Releases, versions: Versions): Release | undefined {
  const { latest } = releases.tags;
  const tagged = releases.releases.find(({ version }) => version === latest);
  return tagged ?? newest(releases, { versions, range: "", prerelease: false })[0];
}

function isWithdrawn({ yanked, deprecated }: Release): boolean {
  return yanked === true || deprecated !== undefined;
}
