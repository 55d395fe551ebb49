/** JSONPath (RFC 9535) and JMESPath; neither evaluates code. */

import { search } from "@jmespath-community/jmespath";
import type { JsonValue } from "#sandbox/json";
import { jsonpath, JSONPathError } from "json-p3";
import { JobRefused } from "../../kit/job_protocol.ts";
import { plain } from "./plain.ts";

export interface QueryInput {
  /** JSONPath begins with `$`, all else is JMESPath. */
  readonly query: string;
  /** Whether JSONPath says where each value was. */
  readonly paths: boolean;
  readonly limit: number;
}

/** What JSONPath finds, as a list; what JMESPath gives. */
export function query(value: JsonValue, { query, paths, limit }: QueryInput): JsonValue {
  return query.trimStart().startsWith("$")
    ? byJsonPath(value, { query: query.trim(), paths, limit })
    : byJmesPath(value, query);
}

function byJsonPath(value: JsonValue, { query, paths, limit }: QueryInput): JsonValue {
  try {
    const found: JsonValue[] = [];
    for (const node of jsonpath.lazyQuery(query, value as never)) {
      if (found.length === limit) break;
      const item = node.value as JsonValue;
      found.push(paths ? { path: node.path, value: item } : item);
    }
    return found;
  } catch (error) {
    if (!(error instanceof JSONPathError)) throw error;
    throw new JobRefused(`it is no JSONPath: ${error.message}`);
  }
}

function byJmesPath(value: JsonValue, query: string): JsonValue {
  try {
    return plain(search(bare(value) as never, query));
  } catch (error) {
    if (error instanceof RangeError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new JobRefused(`${reason}: JMESPath is "a.b[0]", JSONPath begins with "$"`);
  }
}

/** The library looks names up in the prototype, too: here is none. */
function bare(value: JsonValue): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(bare);
  const copy = Object.create(null);
  for (const [name, item] of Object.entries(value)) copy[name] = bare(item);
  return copy;
}
