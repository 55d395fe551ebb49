/** Large results as resources, `ot://result/<handle>`. */

import { attempt, createSemaphore, type JsonObject } from "#base";
import { type ResultStore, sanitize, type StoredResult as Stored } from "#runtime";
import { McpError, RESOURCE_NOT_FOUND } from "./types.ts";

/** Result that was too large to send whole. */
export interface StoredResult {
  readonly handle: string;
  readonly mimeType: string;
  /** Bytes. */
  readonly size?: number;
  readonly description?: string;
}

/** Store of such results. */
export interface ResultSource {
  /** Lists the results, the latest first. */
  list(): Promise<readonly StoredResult[]>;
  /** Reads a result; undefined for an unknown or expired handle. */
  read(handle: string): Promise<{ readonly text: string; readonly mimeType: string } | undefined>;
}

const PREFIX = "ot://result/";
const MAX_LISTED = 100;
/** Results that are read whole at the same time. */
const WHOLE_AT_ONCE = 1;

export const RESULT_TEMPLATE: JsonObject = {
  uriTemplate: `${PREFIX}{handle}`,
  name: "result",
  title: "Stored result",
  description: "A result that was too large to send whole",
};

/** True for the URI of a stored result. */
export function isResultUri(uri: string): boolean {
  return uri.startsWith(PREFIX);
}

/** Lists the stored results as entries of `resources/list`. */
export async function listResults(source: ResultSource): Promise<readonly JsonObject[]> {
  return (await source.list()).slice(0, MAX_LISTED).map((result) => ({
    uri: `${PREFIX}${encodeURIComponent(result.handle)}`,
    name: result.handle,
    mimeType: result.mimeType,
    ...(result.size === undefined ? {} : { size: result.size }),
    ...(result.description === undefined ? {} : { description: result.description }),
  }));
}

/** Reads a stored result as the response to `resources/read`. */
export async function readResult(source: ResultSource, uri: string): Promise<JsonObject> {
  const handle = decode(uri.slice(PREFIX.length));
  const result = handle === undefined ? undefined : await source.read(handle);
  if (!result) throw new McpError(RESOURCE_NOT_FOUND, "Resource not found", { data: { uri } });
  return { contents: [{ uri, mimeType: result.mimeType, text: result.text }] };
}

function decode(text: string): string | undefined {
  // Not a URI of this gateway.
  return attempt(() => decodeURIComponent(text));
}

/** Offers the stored results; marked ones are sanitized here as well. */
export function createResultSource(store: ResultStore): ResultSource {
  const places = createSemaphore(WHOLE_AT_ONCE, WHOLE_AT_ONCE);
  return {
    list: async () => (await store.list()).map(describe),
    async read(handle) {
      const lookup = await store.get(handle);
      if (lookup.kind !== "found") return undefined;
      const { about } = lookup;
      using held = new DisposableStack();
      held.defer(await places.acquire(undefined, undefined));
      const text = await lookup.text.whole().catch(() => undefined); // removed meanwhile
      if (text === undefined) return undefined;
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
