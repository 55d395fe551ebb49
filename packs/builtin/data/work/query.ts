/** JSONPath (RFC 9535) and JMESPath; neither evaluates code. */

import { search } from "@jmespath-community/jmespath";
import { jsonpath, JSONPathError } from "json-p3";
import { type JsonValue, messageOf } from "#base";
import { JobRefused } from "../../../jobs/protocol.ts";
import { bounded, plain } from "./plain.ts";

export interface QueryInput {
  /** JSONPath if it begins with `$`, otherwise JMESPath. */
  readonly query: string;
  /** JSONPath: true to return each value with its path. */
  readonly paths: boolean;
  readonly limit: number;
  /** Characters of the result as JSON. */
  readonly maxResult: number;
}

/** Result of a query: a list for JSONPath, any value for JMESPath. Throws `JobRefused`. */
export function query(value: JsonValue, input: QueryInput): JsonValue {
  const isJsonPath = input.query.trimStart().startsWith("$");
  return isJsonPath ? bounded(byJsonPath(value, input), input.maxResult) : byJmesPath(value, input);
}

function byJsonPath(value: JsonValue, { query, paths, limit }: QueryInput): JsonValue {
  try {
    const matches: JsonValue[] = [];
    for (const node of jsonpath.lazyQuery(query.trim(), value as never)) {
      if (matches.length === limit) break;
      const item = node.value as JsonValue;
      matches.push(paths ? { path: node.path, value: item } : item);
    }
    return matches;
  } catch (error) {
    if (!(error instanceof JSONPathError)) throw error;
    throw new JobRefused(`it is not JSONPath: ${error.message}`);
  }
}

function byJmesPath(value: JsonValue, { query, maxResult }: QueryInput): JsonValue {
  try {
    return plain(bounded(search(bare(value) as never, query), maxResult));
  } catch (error) {
    if (error instanceof RangeError || error instanceof JobRefused) throw error;
    const reason = messageOf(error);
    throw new JobRefused(`${reason}: JMESPath is "a.b[0]", JSONPath begins with "$"`);
  }
}

/** Copies objects without a prototype, because the library also looks names up in the prototype. */
function bare(value: JsonValue): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(bare);
  const copy = Object.create(null);
  for (const [name, item] of Object.entries(value)) copy[name] = bare(item);
  return copy;
}
