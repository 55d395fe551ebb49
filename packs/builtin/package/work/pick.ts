/** The newest version that somebody would want. */

import { JobRefused } from "../../kit/job_protocol.ts";
import type { RegistryName } from "../package_name.ts";
import type { Release, Releases } from "./releases.ts";
import { type Versions, versionsOf } from "./versions.ts";

export interface PickInput {
  readonly registry: RegistryName;
  readonly releases: Releases;
  readonly range: string;
  readonly prerelease: boolean;
  /** How many; the newest first. */
  readonly limit: number;
}

export interface Picked extends Release {
  readonly prerelease: boolean;
}

/** The newest versions within a range; without one, what the registry calls the latest is first. */
export function pick({ registry, releases, range, prerelease, limit }: PickInput): Picked[] {
  const versions = versionsOf(registry);
  const tagged = Object.hasOwn(releases.tags, range) ? releases.tags[range] : undefined;
  const found = tagged === undefined
    ? newest(releases, { versions, range, prerelease })
    : releases.releases.filter(({ version }) => version === tagged);
  const first = range === "" && !prerelease ? latestOf(releases, versions) : undefined;
  const sorted = first ? [first, ...found.filter((release) => release !== first)] : found;
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

/** All that may be taken, the newest first: pre-releases where they are wanted, or where there is
 * nothing else; deprecated and yanked ones after all others. */
export function newest(
  { releases }: Releases,
  { versions, range, prerelease }: NewestOptions,
): Release[] {
  const valid = releases.filter(({ version }) => versions.isValid(version));
  const within = (pre: boolean) =>
    valid.filter(({ version }) => {
      const fits = range === "" || range === "*" || versions.satisfies(version, range, pre);
      if (fits === undefined) {
        throw new JobRefused(`"${range}" is no range of versions, and no tag`);
      }
      // A range that names a pre-release lets those of the same version in.
      return fits && (pre || range !== "" && range !== "*" || !versions.isPrerelease(version));
    });
  const stable = within(prerelease);
  const found = stable.length > 0 ? stable : within(true);
  return found.sort((a, b) =>
    Number(isWithdrawn(a)) - Number(isWithdrawn(b)) || versions.compare(b.version, a.version)
  );
}

/** What `latest` means: the registry's own word where it has one. */
export function latestOf(releases: Releases, versions: Versions): Release | undefined {
  const { latest } = releases.tags;
  const tagged = releases.releases.find(({ version }) => version === latest);
  return tagged ?? newest(releases, { versions, range: "", prerelease: false })[0];
}

function isWithdrawn({ yanked, deprecated }: Release): boolean {
  return yanked === true || deprecated !== undefined;
}
