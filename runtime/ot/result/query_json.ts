/** Selects parts of a JSON text by a path (RFC 9535). */

import { jsonpath } from "json-p3";
import { type JsonValue, messageOf, sizeIndented } from "#base";
import { LONGEST_PATTERN } from "./search_types.ts";

/** Limit for paths that select without end. */
const MOST = 100_000;
/** Limit for what they select, in characters beyond those of the text. */
const MOST_CHARACTERS = 8_000_000;
const LONGEST_PATH = 1_000;
const ENVIRONMENT = boundedEnvironment();

/** Selects by a path and writes indented JSON: the value itself where the path can select one
 * only, else a list. Throws an `Error` whose message is for the agent. */
export function queryJson(text: string, path: string): string {
  const query = compile(path);
  const value = parse(text);
  const selected: JsonValue[] = [];
  const most = MOST_CHARACTERS + text.length;
  let size = 0;
  for (const node of query.lazyQuery(value as never)) {
    if (selected.length === MOST) throw new Error(`it selects more than ${MOST} values`);
    size += sizeIndented(node.value, { indent: 2, most: most - size });
    if (size > most) throw new Error(`it selects more than ${most} characters: select less`);
    selected.push(node.value as JsonValue);
  }
  if (!query.singularQuery()) return textOf(selected);
  const [only] = selected;
  if (only === undefined) throw new Error("nothing is there");
  return textOf(only);
}

function compile(path: string): jsonpath.JSONPathQuery {
  if (path.length > LONGEST_PATH) {
    throw new Error(`it has more than ${LONGEST_PATH} characters: write a shorter one`);
  }
  try {
    return ENVIRONMENT.compile(path);
  } catch (error) {
    const reason = messageOf(error);
    throw new Error(`${reason}: write a path such as $.items[*].name`, { cause: error });
  }
}

/** The functions of RFC 9535. A regular expression may come from the value: one of any length would be
 * compiled without an end. */
function boundedEnvironment(): jsonpath.JSONPathEnvironment {
  const environment = new jsonpath.JSONPathEnvironment();
  for (const name of ["match", "search"]) {
    const matcher = environment.functionRegister.get(name);
    if (!matcher) throw new TypeError(`JSONPath has no function "${name}"`);
    const { argTypes, returnType } = matcher;
    const call = (text: unknown, pattern: unknown) => {
      if (typeof pattern === "string" && pattern.length > LONGEST_PATTERN) {
        const limit = `${LONGEST_PATTERN.toLocaleString("en")} characters`;
        throw new Error(`"${name}" got a pattern of more than ${limit}: use a shorter one`);
      }
      return matcher.call(text, pattern);
    };
    environment.functionRegister.set(name, { argTypes, returnType, call });
  }
  return environment;
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
