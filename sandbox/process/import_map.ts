/** The import map of one process. */

import { builtinModules } from "node:module";

/** Maps `toolscript` to the gateway's module at an address that is never used again, and closes
 * local files and node's built-ins. */
export function importMap(base: string, stamp: string): string {
  const imports: Record<string, string | null> = {
    toolscript: `${base}/runtime/tools.ts?_t=${stamp}`,
    "file:///": null,
  };
  for (const name of builtinModules) {
    imports[name.startsWith("node:") ? name : `node:${name}`] = null;
  }
  for (const name of ["node:sqlite", "node:test", "node:test/reporters", "node:sea"]) {
    imports[name] = null;
  }
  return JSON.stringify({ imports });
}
