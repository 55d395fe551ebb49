/** Settings of the `text` pack. */

import type { TextSettings } from "#packs";
import type { Infer, ObjectRule } from "../rule.ts";
import { count, flag, seconds } from "../rule_makers.ts";

export const TEXT = {
  kind: "object",
  about: "The pack text: hashes, encodes, matches, compares and fills in text",
  keys: {
    enabled: flag("false switches the pack off"),
    timeout: seconds("Seconds that one call may take (10)", 0.001),
    pattern_timeout: seconds("Seconds that one regular expression or template may take (2)", 0.001),
    memory_mb: count("Memory that one call may take, MB (256)", 64, 65_536),
  },
} as const satisfies ObjectRule;

/** The settings with every default filled in. */
export function resolveText(raw: Infer<typeof TEXT>): TextSettings {
  return {
    enabled: raw.enabled ?? true,
    timeoutMs: (raw.timeout ?? 10) * 1000,
    patternTimeoutMs: (raw.pattern_timeout ?? 2) * 1000,
    memoryMb: raw.memory_mb ?? 256,
  };
}
