/** Settings of the `web` pack. */

import type { WebSettings } from "#packs";
import type { Infer, ObjectRule } from "../rule.ts";
import { amount, count, flag, seconds, text, texts } from "../rule_makers.ts";

const MB = 1024 * 1024;

export const WEB = {
  kind: "object",
  about: "The pack web: fetches pages",
  keys: {
    enabled: flag("false switches the pack off"),
    allow_private: texts(
      "Hosts that may be fetched from although they are not public: localhost:3000, *.internal, " +
        "10.1.0.0/16 (none)",
    ),
    timeout: seconds("Seconds that one page may take (30)", 0.001),
    max_mb: amount("Largest page, unpacked, MB (10)", 512),
    cache_ttl: seconds("Seconds that a page is good for, unless its server says less (300)"),
    cache_mb: { ...amount("Memory for pages that are kept, MB (32)", 4096), min: 0 },
    concurrent: count("Pages that one batch asks for at the same time (8)", 1, 64),
    user_agent: text("What the pack says it is (Mozilla/5.0 (compatible; Toolscript))"),
    robots: {
      kind: "choice",
      about: "obey asks robots.txt of public hosts first (obey)",
      of: ["obey", "ignore"],
    },
    memory_mb: count("Memory that reading one page may take, MB (512)", 64, 65_536),
  },
} as const satisfies ObjectRule;

/** The settings with every default filled in. */
export function resolveWeb(raw: Infer<typeof WEB>): WebSettings {
  return {
    enabled: raw.enabled ?? true,
    allowPrivate: raw.allow_private ?? [],
    timeoutMs: (raw.timeout ?? 30) * 1000,
    maxBytes: Math.round((raw.max_mb ?? 10) * MB),
    cacheTtlMs: (raw.cache_ttl ?? 300) * 1000,
    cacheBytes: Math.round((raw.cache_mb ?? 32) * MB),
    concurrent: raw.concurrent ?? 8,
    userAgent: raw.user_agent ?? "Mozilla/5.0 (compatible; Toolscript)",
    robots: raw.robots ?? "obey",
    memoryMb: raw.memory_mb ?? 512,
  };
}
