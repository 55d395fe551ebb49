/** Results of packs in the form that MCP clients take. */

import { isObject, type JsonObject } from "#base";
import type { CallResult } from "#packs";
import { jsonOf } from "#runtime";

/** Makes the result of a pack's tool: a text as it is, all else as JSON, an object as structured
 * content too (MCP 2025-11-25 §tools). */
export async function packResult({ value, content = [] }: CallResult): Promise<JsonObject> {
  const text = typeof value === "string" ? value : await jsonOf(value);
  return {
    content: [{ type: "text", text }, ...content.filter(({ type }) => type !== "text")],
    ...(isObject(value) ? { structuredContent: value as JsonObject } : {}),
  };
}
