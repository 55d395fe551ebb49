/** Settings of the `package` pack. */

import type { Settings } from "../../rules/rule.ts";
import { count, megabytes, pack, seconds, section, text, timeout } from "../../rules/makers.ts";

export const PACKAGE = pack("The pack package: versions from npm, PyPI and JSR, and audits", {
  registries: section("Addresses of the registries", {
    npm: text("The npm registry; else `NPM_CONFIG_REGISTRY`, else the public one"),
    pypi: text("The simple index; else `PIP_INDEX_URL`, `UV_INDEX_URL`, else the public one"),
    jsr: text("The JSR registry; else `JSR_URL`, else the public one"),
  }),
  timeout: timeout("Seconds that one response of a registry may take", 30),
  max_mb: megabytes("Largest response of a registry, MB", { default: 64, max: 512 }),
  memory_mb: count("Heap of the process that reads one response, MB", {
    default: 512,
    min: 64,
    max: 65_536,
  }),
  concurrent: count("Packages that are looked up at the same time", { default: 8, max: 64 }),
  cache_ttl: seconds("Seconds that a response is used again", { default: 300 }),
});
export type PackageSettings = Settings<typeof PACKAGE>;
