/** Selects parts of a JSON text by a path (RFC 9535). */

import { jsonpath } from "json-p3";
import { type JsonValue, messageOf } from "#base";

/** Limit for paths that select without end. */
const MOST = 100_000;

/** Selects by a path and writes indented JSON: the value itself where the path can select one
 * only, else a list. Throws an `Error` whose message is for the agent. */
export function queryJson(text: string, path: string): string {
  const query = compile(path);
  const value = parse(text);
  const selected: JsonValue[] = [];
  for (const node of query.lazyQuery(value)) {
    if (selected.length === MOST) throw new Error(`it selects more than ${MOST} values`);
    selected.push(node.value as JsonValue);
  }
  if (!query.singularQuery()) return textOf(selected);
  const [only] = selected;
  if (only === undefined) throw new Error("nothing is there");
  return textOf(only);
}

function compile(path: string): jsonpath.JSONPathQuery {
  try {
    return jsonpath.compile(path);
  } catch (error) {
    const reason = messageOf(error);
    throw new Error(`${reason}: write a path such as $.items[*].name`, { cause: error });
  }
}

function parse(text: string): JsonValue {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new Error("the stored result is no JSON: search it instead", { cause });
  }
}

function textOf(value: JsonValue): string {
  return typeof value === "string" ? value : JSON.stringify(value, null, 2);
}
