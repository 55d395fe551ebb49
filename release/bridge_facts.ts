/** Facts of any project, by which the npm package answers a client that cannot wait for its own. */

import { loadConfig } from "#config";
import { aboutOf, type BridgeFacts, factsOf } from "../cli/mcp/facts.ts";

/** Builds the facts. `folder` must be empty. */
export async function packageFacts(version: string, folder: string): Promise<BridgeFacts> {
  const config = await loadConfig({ env: {}, home: folder, cwd: folder });
  return await factsOf(config, aboutOf(config, { home: folder, version, isOpen: true }));
}
