/** An MCP client with a person who answers. */

import type { Client } from "@modelcontextprotocol/client";
import { type Era, newClient, textOf } from "../clients.ts";

export type Answer = { action: "accept" | "decline" | "cancel"; content?: Record<string, string> };

export const ANA: Answer = { action: "accept", content: { name: "Ana" } };

export const ALL = { elicitation: { form: {}, url: {} }, sampling: {}, roots: {} };

export interface Person {
  readonly client: Client;
  /** What the client was asked, its messages. */
  readonly questions: string[];
}

export function person(era: Era, answer: () => Answer | Promise<Answer> = () => ANA): Person {
  const questions: string[] = [];
  const client = newClient(era, { capabilities: ALL });
  client.setRequestHandler("elicitation/create", ({ params }) => {
    questions.push(params.message);
    return answer();
  });
  client.setRequestHandler("sampling/createMessage", () => ({
    role: "assistant",
    model: "test",
    content: { type: "text", text: "sampled" },
  }));
  client.setRequestHandler("roots/list", () => ({ roots: [{ uri: "file:///home/ana" }] }));
  return { client, questions };
}

export async function run(client: Client, command: string, name = "run"): Promise<string> {
  const result = await client.callTool({ name, arguments: { command, format: "json" } });
  return textOf(result);
}
