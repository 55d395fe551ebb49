/** Large results as resources, `ot://result/<handle>`. */

import type { JsonObject } from "#sandbox";
import { McpError, RESOURCE_NOT_FOUND } from "./types.ts";

/** A result that was too large to send whole. */
export interface StoredResult {
  readonly handle: string;
  readonly mimeType: string;
  /** Bytes. */
  readonly size?: number;
  readonly description?: string;
}

/** Where such results are kept. */
export interface ResultSource {
  /** The latest first. */
  list(): Promise<readonly StoredResult[]>;
  /** Undefined when there is none of that handle, or no longer. */
  read(handle: string): Promise<{ readonly text: string; readonly mimeType: string } | undefined>;
}

const PREFIX = "ot://result/";
const MAX_LISTED = 100;

export const RESULT_TEMPLATE: JsonObject = {
  uriTemplate: `${PREFIX}{handle}`,
  name: "result",
  title: "Stored result",
  description: "A result that was too large to send whole",
};

/** Whether an address is one of a stored result. */
export function isResultUri(uri: string): boolean {
  return uri.startsWith(PREFIX);
}

/** The stored results as entries of `resources/list`. */
export async function listResults(source: ResultSource): Promise<readonly JsonObject[]> {
  return (await source.list()).slice(0, MAX_LISTED).map((result) => ({
    uri: `${PREFIX}${encodeURIComponent(result.handle)}`,
    name: result.handle,
    mimeType: result.mimeType,
    ...(result.size === undefined ? {} : { size: result.size }),
    ...(result.description === undefined ? {} : { description: result.description }),
  }));
}

/** One stored result as the answer of `resources/read`. */
export async function readResult(source: ResultSource, uri: string): Promise<JsonObject> {
  const handle = decode(uri.slice(PREFIX.length));
  const found = handle === undefined ? undefined : await source.read(handle);
  if (!found) throw new McpError(RESOURCE_NOT_FOUND, "Resource not found", { data: { uri } });
  return { contents: [{ uri, mimeType: found.mimeType, text: found.text }] };
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    // Not an address that we gave out.
    return undefined;
  }
}
