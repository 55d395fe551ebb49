/** Questions of a gateway that this process shows, and that are answered elsewhere meanwhile. */

import { isObject } from "#base";
import type { Client } from "../client.ts";

/** Resolves when a question of the gateway has its answer; rejects when `signal` is aborted or the
 * gateway cannot tell. */
export async function takenBack(client: Client, id: string, signal: AbortSignal): Promise<void> {
  const events = await client.request("/events", { signal });
  if (!await isOpen(client, id, signal)) return void await events.body?.cancel();
  let rest = "";
  for await (const text of events.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    const blocks = (rest + text).split("\n\n");
    rest = blocks.pop() ?? "";
    if (blocks.some((block) => isAnswer(block, id))) return;
  }
  throw new Error("The gateway has ended the stream of its events");
}

async function isOpen(client: Client, id: string, signal: AbortSignal): Promise<boolean> {
  const questions: unknown = await (await client.request("/questions", { signal })).json();
  return Array.isArray(questions) && questions.some((each) => isObject(each) && each.id === id);
}

function isAnswer(block: string, id: string): boolean {
  const [, data] = /^event: answered\ndata: (.*)$/.exec(block) ?? [];
  if (data === undefined) return false;
  const answer: unknown = JSON.parse(data);
  return isObject(answer) && answer.id === id;
}
