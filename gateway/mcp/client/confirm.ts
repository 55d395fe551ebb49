/** Confirmation of calls by the person at an MCP client. */

import { isObject, type JsonObject } from "#base";
import { type Ask, type Question, questionText } from "#runtime";
import type { AskClient } from "./suspended_work.ts";

const KEY = "allow";
const CHOICES: readonly JsonObject[] = [
  { const: "call", title: "Allow this call" },
  { const: "run", title: "Allow this tool for this run" },
  { const: "no", title: "Refuse" },
];

/** Builds the function that asks one client; every answer but an explicit yes is a no. Undefined for
 * a client that cannot show forms. */
export function createMcpConfirmer(ask: AskClient, capabilities: JsonObject): Ask | undefined {
  if (!hasForms(capabilities)) return undefined;
  return async (question) => {
    const response = await ask({ method: "elicitation/create", params: formOf(question) });
    if (!isObject(response) || response.action !== "accept") return "no";
    const allow = isObject(response.content) ? response.content[KEY] : undefined;
    return allow === "run" || allow === "call" ? allow : "no";
  };
}

/** True for a client that can show forms, which is the default mode of `elicitation`. */
export function hasForms({ elicitation }: JsonObject): boolean {
  return isObject(elicitation) && (isObject(elicitation.form) || !elicitation.url);
}

function formOf(question: Question): JsonObject {
  return {
    mode: "form",
    message: questionText(question),
    requestedSchema: {
      type: "object",
      properties: { [KEY]: { type: "string", title: "Allow", oneOf: CHOICES } },
      required: [KEY],
    },
  };
}
