/** Settings of the `data` pack. */

import type { Settings } from "../../rules/rule.ts";
import { count, megabytes, pack, timeout } from "../../rules/makers.ts";

export const DATA = pack("The pack data: parses, queries, converts and compares data", {
  timeout: timeout("Seconds that one call may take", 20),
  max_mb: megabytes("Largest file that one call reads and largest text that it returns, MB", {
    default: 32,
    max: 512,
  }),
  max_result_mb: megabytes("Largest value that one call returns, MB", { default: 8, max: 512 }),
  memory_mb: count("Heap of the process that does one call, MB", {
    default: 512,
    min: 64,
    max: 65_536,
  }),
});
export type DataSettings = Settings<typeof DATA>;
