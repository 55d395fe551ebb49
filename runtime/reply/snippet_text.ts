/** Full text of snippets: YAML in blocks, with the example marked as such (OT-42). */

import { dump } from "js-yaml";
import type { JsonValue } from "#base";

const KEYS = "name,description,params,body,example,expands_to";
/** A parameter is one line. */
const FLOW_LEVEL = 2;

/** One snippet or a list of them, or undefined where a value is something else. */
export function snippetText(value: JsonValue): string | undefined {
  const snippets: readonly JsonValue[] = Array.isArray(value) ? value : [value];
  if (snippets.length === 0 || !snippets.every(isSnippet)) return undefined;
  const isList = Array.isArray(value);
  const flowLevel = FLOW_LEVEL + (isList ? 1 : 0);
  // What stands inside a text or a parameter is indented deeper than a snippet's own keys.
  const key = (name: string) => new RegExp(`^${isList ? "  " : ""}${name}:`, "gm");
  return dump(value, { lineWidth: -1, noRefs: true, flowLevel }).trimEnd()
    .replaceAll(key("example"), commented("Example with defaults"))
    .replaceAll(key("expands_to"), commented("Expands to"));
}

/** The key below a comment, as far in as it is. */
function commented(text: string): (key: string) => string {
  return (key) => `${" ".repeat(key.length - key.trimStart().length)}# ${text}:\n${key}`;
}

function isSnippet(value: JsonValue): boolean {
  return typeof value === "object" && value !== null && Object.keys(value).join() === KEYS;
}
