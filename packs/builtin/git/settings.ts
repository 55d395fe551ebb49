/** Settings of the `git` pack. */

import type { Settings } from "../../rules/rule.ts";
import { folders, megabytes, pack, timeout } from "../../rules/makers.ts";

export const GIT = pack("The pack git: reads the history and state of repositories", {
  allowed: folders("Folders whose repositories may be read, relative to the project"),
  timeout: timeout("Seconds that one call may take", 20),
  max_output_mb: megabytes(
    "Largest output of git that is read, MB; then `more` is true, or the call fails where all is needed",
    { default: 4, max: 1024 },
  ),
});
export type GitSettings = Settings<typeof GIT>;
