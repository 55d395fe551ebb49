/** Where the statistics of a project are. */

import { createHash } from "node:crypto";
import { join } from "node:path";

/** Folder of the statistics of a project. */
export function statsFolder(
  { home, project }: { readonly home: string; readonly project: string },
): string {
  const hash = createHash("sha256").update(Deno.realPathSync(project)).digest("hex").slice(0, 32);
  return join(home, ".onetool/stats", hash);
}
