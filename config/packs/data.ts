/** Settings of the `data` pack. */

import type { DataSettings } from "#packs";
import type { Infer, ObjectRule } from "../rule.ts";
import { amount, count, flag, seconds } from "../rule_makers.ts";

const MB = 1024 * 1024;

export const DATA = {
  kind: "object",
  about: "The pack data: parses, queries, converts and compares structured data",
  keys: {
    enabled: flag("false switches the pack off"),
    timeout: seconds("Seconds that one call may take (20)", 0.001),
    max_mb: amount("Largest file that one call reads, largest text that it gives, MB (32)", 512),
    max_result_mb: amount("Largest value that one call gives, MB (8)", 512),
    memory_mb: count("Memory that one call may take, MB (512)", 64, 65_536),
  },
} as const satisfies ObjectRule;

/** The settings with every default filled in. */
export function resolveData(raw: Infer<typeof DATA>): DataSettings {
  return {
    enabled: raw.enabled ?? true,
    timeoutMs: (raw.timeout ?? 20) * 1000,
    maxBytes: Math.round((raw.max_mb ?? 32) * MB),
    maxResultBytes: Math.round((raw.max_result_mb ?? 8) * MB),
    memoryMb: raw.memory_mb ?? 512,
  };
}
