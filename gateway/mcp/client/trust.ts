/** Trust in the project, granted by the person at an MCP client. */

import { isObject, type JsonObject } from "#base";
import type { RunReply } from "#runtime";
import { hasForms } from "./confirm.ts";
import type { AskClient } from "./suspended_work.ts";

/** Asks for trust; resolves with true once the project is trusted. */
export interface TrustSource {
  ask(question: (text: string) => Promise<boolean>): Promise<boolean>;
}

const KEY = "trust";
/** Maximum length of a question in a form; a longer one is shown on a terminal only. */
const MOST_CHARACTERS = 4_000;
const CHOICES: readonly JsonObject[] = [
  { const: "no", title: "No" },
  { const: "yes", title: "Trust it" },
];

export interface TrustingOptions {
  readonly trust: TrustSource | undefined;
  readonly ask: AskClient;
  /** Capabilities of the client. */
  readonly capabilities: JsonObject;
}

/** Runs once, and again if the first run failed only for lack of trust that was granted then. */
export async function runTrusting(
  once: () => Promise<RunReply>,
  { trust, ask, capabilities }: TrustingOptions,
): Promise<RunReply> {
  const reply = await once();
  const isUntrusted = reply.error?.details.reason === "untrusted" && reply.calls === 0;
  if (!isUntrusted || !trust || !hasForms(capabilities)) return reply;
  const isTrusted = await trust.ask(async (message) => {
    if (message.length > MOST_CHARACTERS) return false;
    const response = await ask({ method: "elicitation/create", params: formOf(message) });
    if (!isObject(response) || response.action !== "accept") return false;
    return isObject(response.content) && response.content[KEY] === "yes";
  });
  return isTrusted ? await once() : reply;
}

function formOf(message: string): JsonObject {
  return {
    mode: "form",
    message,
    requestedSchema: {
      type: "object",
      properties: { [KEY]: { type: "string", title: "Trust", oneOf: CHOICES, default: "no" } },
      required: [KEY],
    },
  };
}
