/** The changelog as text: changes under `Unreleased`, and their move under a version. */

const UNRELEASED = "## Unreleased";

/** The changes that no version has yet, without sections that are empty. */
export function unreleased(changelog: string): string {
  const [, after = ""] = changelog.split(`${UNRELEASED}\n`);
  const [changes = ""] = after.split(/^## /m);
  return changes.split(/^(?=### )/m).map((section) => section.trim())
    .filter((section) => /^### .+\n[^]*\S/.test(section))
    .join("\n\n");
}

/** Moves the unreleased changes under a version with its date (`2026-11-22`).
 *
 * Throws `RangeError` where there is no change. */
export function releaseChanges(changelog: string, version: string, date: string): string {
  const changes = unreleased(changelog);
  if (changes === "") {
    throw new RangeError("Cannot release: CHANGELOG.md has no change under Unreleased: add one");
  }
  const [before = "", after = ""] = changelog.split(`${UNRELEASED}\n`);
  const versions = after.slice(after.search(/^## /m));
  return `${before}${UNRELEASED}\n\n## ${version} - ${date}\n\n${changes}\n\n${versions}`;
}
