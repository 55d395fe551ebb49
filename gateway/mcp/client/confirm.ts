/** Confirmation of calls by the person at an MCP client. */

import { isObject, type JsonObject } from "#base";
import {
  type Answerer,
  type Ask,
  createPerson,
  type Inbox,
  questionText,
  waitingProgress,
  type WaitingQuestion,
} from "#runtime";
import { planForm, readPlanForm } from "./plan_form.ts";
import type { McpExchange } from "../types.ts";
import type { AskClient, WorkContext } from "./suspended_work.ts";

const KEY = "allow";
const CHOICES: readonly JsonObject[] = [
  { const: "call", title: "Allow this call" },
  { const: "run", title: "Allow this tool for this run" },
  { const: "no", title: "Refuse" },
];

export interface ClientOptions {
  readonly capabilities: JsonObject;
  /** Name of the client, if it sent one. */
  readonly client?: string;
  /** True where a question can have its answer from elsewhere, so that the form is taken back. */
  readonly isOneOfSeveral: boolean;
}

/** Builds the ways to ask one client: a form, where it can show one. Every answer but an explicit yes
 * is a no. */
export function createMcpAnswerers(
  ask: AskClient,
  { capabilities, client, isOneOfSeveral }: ClientOptions,
): readonly Answerer[] {
  if (!hasForms(capabilities)) return [];
  return [{
    from: { via: "client", client },
    async ask(question, signal) {
      const show = (params: JsonObject) => {
        const id = isOneOfSeveral ? question.id : undefined;
        return ask({ method: "elicitation/create", params }, { signal, id });
      };
      const isPlan = question.kind === "plan";
      let response = await show(isPlan ? await planForm(question, { signal }) : formOf(question));
      if (isPlan && !isObject(response) && !signal.aborted) {
        response = await show(await planForm(question, { signal, hasChoice: false }));
      }
      if (!isObject(response)) return undefined;
      const content = response.action === "accept" && isObject(response.content)
        ? response.content
        : {};
      if (question.kind === "plan") return readPlanForm(content, question);
      const allow = content[KEY];
      return { allow: allow === "run" || allow === "call" ? allow : "no" };
    },
  }];
}

/** Builds the function that asks the person at one client, or on the page; undefined where neither
 * can be asked. */
export function createMcpPerson(
  inbox: Inbox,
  { ask, exchange: current }: Pick<WorkContext, "ask" | "exchange">,
  { capabilities, client }: McpExchange,
): Ask | undefined {
  return createPerson({
    inbox,
    answerers: createMcpAnswerers(ask, {
      capabilities,
      client,
      isOneOfSeveral: inbox.address() !== undefined,
    }),
    waits: true,
    onWaiting: (notice) => current()?.onProgress?.(waitingProgress(notice)),
  });
}

/** True for a client that can show forms, which is the default mode of `elicitation`. */
export function hasForms({ elicitation }: JsonObject): boolean {
  return isObject(elicitation) && (isObject(elicitation.form) || !elicitation.url);
}

function formOf(
  { code, tool = "", arguments: args = {}, line, because }: WaitingQuestion,
): JsonObject {
  const call = {
    tool,
    arguments: args,
    line: line ?? undefined,
    because: because ?? undefined,
  };
  return {
    mode: "form",
    message: questionText(code ? { kind: "code", ...call } : call),
    requestedSchema: {
      type: "object",
      properties: { [KEY]: { type: "string", title: "Allow", oneOf: CHOICES } },
      required: [KEY],
    },
  };
}
