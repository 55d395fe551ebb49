/** Order and ranges of versions: SemVer for npm and JSR, PEP 440 for PyPI. */

import * as pep440 from "@renovatebot/pep440";
// @ts-types="@types/semver"
import semver from "semver";
import type { RegistryName } from "../package_name.ts";

export type Step = "major" | "minor" | "patch";

export interface Versions {
  isValid(version: string): boolean;
  isPrerelease(version: string): boolean;
  compare(a: string, b: string): number;
  /** Returns undefined for an invalid range. */
  satisfies(version: string, range: string, prerelease: boolean): boolean | undefined;
  /** Version that a range names: 1.2.0 for ^1.2. */
  base(range: string): string | undefined;
  parts(version: string): readonly number[];
}

/** Rules of a registry. */
export function versionsOf(registry: RegistryName): Versions {
  return registry === "pypi" ? PEP440 : SEMVER;
}

/** First part in which `newer` is ahead, or null. */
export function stepBetween(older: string, newer: string, versions: Versions): Step | null {
  if (versions.compare(newer, older) <= 0) return null;
  const [from, to] = [versions.parts(older), versions.parts(newer)];
  const at = [0, 1].find((at) => (from[at] ?? 0) !== (to[at] ?? 0));
  return at === 0 ? "major" : at === 1 ? "minor" : "patch";
}

const SEMVER: Versions = {
  isValid: (version) => semver.valid(version) !== null,
  isPrerelease: (version) => semver.prerelease(version) !== null,
  compare: (a, b) => semver.compare(a, b),
  satisfies: (version, range, includePrerelease) =>
    semver.validRange(range) === null
      ? undefined
      : semver.satisfies(version, range, { includePrerelease }),
  base: (range) => {
    if (semver.validRange(range) === null || /^\s*[*x]?\s*$/i.test(range)) return undefined;
    return semver.minVersion(range)?.version;
  },
  parts: (version) => {
    const { major, minor, patch } = semver.parse(version) ?? { major: 0, minor: 0, patch: 0 };
    return [major, minor, patch];
  },
};

const PEP440: Versions = {
  isValid: (version) => pep440.valid(version) !== null,
  isPrerelease: (version) => {
    const parsed = pep440.explain(version);
    return parsed !== null && (parsed.is_prerelease || parsed.is_devrelease);
  },
  compare: (a, b) => pep440.compare(a, b),
  satisfies: (version, range, prereleases) =>
    range !== "" && !pep440.validRange(range)
      ? undefined
      : pep440.satisfies(version, range, { prereleases }),
  base: (range) => {
    const versions = [...range.matchAll(/(?:={2,3}|~=|>=?)\s*v?(?<version>[^\s,;*]+)/g)]
      .map(({ groups }) => (groups?.version ?? "").replace(/\.$/, ""))
      .filter((version) => pep440.valid(version) !== null);
    return versions.sort((a, b) => pep440.compare(b, a))[0];
  },
  parts: (version) => pep440.explain(version)?.release ?? [],
};
