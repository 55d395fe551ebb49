/** Settings of the `text` pack. */

import type { Settings } from "../../rules/rule.ts";
import { count, pack, timeout } from "../../rules/makers.ts";

export const TEXT = pack("The pack text: hashes, encodes, matches, compares and fills in text", {
  timeout: timeout("Seconds that one call may take", 10),
  pattern_timeout: timeout("Seconds that one regular expression or template may take", 2),
  memory_mb: count("Heap of the process that does one call, MB", {
    default: 256,
    min: 64,
    max: 65_536,
  }),
});
export type TextSettings = Settings<typeof TEXT>;
