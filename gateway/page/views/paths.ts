/** Addresses of the pages of things. */

import type { ToolEntry } from "#packs";

/** Address of the page of a pack. */
export function packPath(name: string): string {
  return `/servers/${encodeURIComponent(name)}`;
}

/** Address of the page of a tool. */
export function toolPath({ wire }: Pick<ToolEntry, "wire">): string {
  return `/tools?${new URLSearchParams({ tool: wire })}`;
}

/** Address of the page of a run. */
export function runPath(run: string): string {
  return `/runs/${encodeURIComponent(run)}`;
}
