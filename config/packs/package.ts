/** Settings of the `package` pack. */

import type { PackageSettings } from "#packs";
import type { Infer, ObjectRule } from "../rule.ts";
import { amount, count, flag, seconds, text } from "../rule_makers.ts";

const MB = 1024 * 1024;

export const PACKAGE = {
  kind: "object",
  about: "The pack package: newest versions from npm, PyPI and JSR, audit of a manifest",
  keys: {
    enabled: flag("false switches the pack off"),
    registries: {
      kind: "object",
      about: "Where the registries are",
      keys: {
        npm: text("Address of the npm registry (NPM_CONFIG_REGISTRY, else the public one)"),
        pypi: text(
          "Address of the simple index (PIP_INDEX_URL, UV_INDEX_URL, else the public one)",
        ),
        jsr: text("Address of the JSR registry (JSR_URL, else the public one)"),
      },
    },
    timeout: seconds("Seconds that one answer of a registry may take (30)", 0.001),
    max_mb: amount("Largest answer of a registry, MB (64)", 512),
    concurrent: count("Packages that are asked for at the same time (8)", 1, 64),
    cache_ttl: seconds("Seconds that an answer is good for (300)"),
  },
} as const satisfies ObjectRule;

/** The settings with every default filled in. */
export function resolvePackage(raw: Infer<typeof PACKAGE>): PackageSettings {
  return {
    enabled: raw.enabled ?? true,
    registries: { ...raw.registries },
    timeoutMs: (raw.timeout ?? 30) * 1000,
    maxBytes: Math.round((raw.max_mb ?? 64) * MB),
    concurrent: raw.concurrent ?? 8,
    cacheTtlMs: (raw.cache_ttl ?? 300) * 1000,
  };
}
