/** Settings of the `grep` pack. */

import type { Settings } from "../../rules/rule.ts";
import { choice, count, folders, megabytes, pack, timeout } from "../../rules/makers.ts";

export const GREP = pack("The pack grep: searches the contents and names of files", {
  allowed: folders("Folders that may be searched, relative to the project"),
  max_file_mb: megabytes("Size above which files are skipped, MB", { default: 10, max: 1024 }),
  max_results: count("Largest `limit` of a call", { default: 10_000, max: 1_000_000 }),
  timeout: timeout("Seconds that one search may take", 20),
  ripgrep: choice("`auto` uses ripgrep where it is installed", ["auto", "never"], {
    default: "auto",
  }),
});
export type GrepSettings = Settings<typeof GREP>;
