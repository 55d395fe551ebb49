/** The result store as resources of the MCP server. */

import type { ResultStore, StoredResult as Stored } from "#runtime";
import { sanitize } from "#runtime";
import type { ResultSource, StoredResult } from "./results.ts";

/** Offers the stored results; marked ones are sanitized here as well. */
export function createResultSource(store: ResultStore): ResultSource {
  return {
    list: async () => (await store.list()).map(describe),
    async read(handle) {
      const lookup = await store.get(handle);
      if (lookup.kind !== "found") return undefined;
      const { about, text } = lookup;
      if (!about.sanitize) return { text, mimeType: mimeTypeOf(text) };
      return { text: sanitize(text, { sources: [about.tool] }), mimeType: "text/plain" };
    },
  };
}

function describe({ handle, size_bytes, total_lines, tool }: Stored): StoredResult {
  const from = tool === "" ? "" : ` from ${tool}`;
  return {
    handle,
    mimeType: "text/plain",
    size: size_bytes,
    description: `${total_lines} lines${from}`,
  };
}

function mimeTypeOf(text: string): string {
  return /^\s*[[{]/.test(text) ? "application/json" : "text/plain";
}
