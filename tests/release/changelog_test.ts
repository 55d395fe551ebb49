/** How unreleased changes become a version. */

import assert from "node:assert/strict";
import { releaseChanges, unreleased } from "../../release/changelog.ts";

const CHANGELOG = `# Changelog

## Unreleased

### Security

### Added

- A thing.

### Fixed

- A fault.

## 0.1.0 - 2026-01-01

The first.
`;

Deno.test("unreleased() leaves out sections without a line", () => {
  assert.equal(unreleased(CHANGELOG), "### Added\n\n- A thing.\n\n### Fixed\n\n- A fault.");
});

Deno.test("releaseChanges() dates the changes and keeps older versions", () => {
  const text = releaseChanges(CHANGELOG, "0.2.0", "2026-02-02");
  assert.equal(unreleased(text), "");
  assert.match(text, /## Unreleased\n\n## 0\.2\.0 - 2026-02-02\n\n### Added\n\n- A thing\./);
  assert.match(text, /- A fault\.\n\n## 0\.1\.0 - 2026-01-01\n\nThe first\.\n$/);
});

Deno.test("releaseChanges() refuses a version without changes", () => {
  const text = releaseChanges(CHANGELOG, "0.2.0", "2026-02-02");
  assert.throws(() => releaseChanges(text, "0.3.0", "2026-03-03"), /no change under Unreleased/);
});
