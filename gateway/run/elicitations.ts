/** Forms of servers for the clients of streamed runs. */

import { isObject, type JsonObject } from "#base";
import type { Peer } from "#packs";
import type { RunEvent } from "#runtime";
import type { Questions } from "./questions.ts";

type ElicitEvent = Extract<RunEvent, { type: "elicit" }>;
type AnsweredEvent = Extract<RunEvent, { type: "answered" }>;

/** Answers of clients to forms. */
export type Elicitations = Questions<JsonObject>;

export interface StreamPeerOptions {
  readonly send: (event: ElicitEvent | AnsweredEvent) => void;
  /** True where the client answers forms. */
  readonly asks: boolean;
  /** True where it shows addresses, too. */
  readonly showsUrls: boolean;
  /** True where the client waits for answers that only the page can give. */
  readonly waits: boolean;
}

const FORMS: JsonObject = { elicitation: { form: {} } };
const FORMS_AND_URLS: JsonObject = { elicitation: { form: {}, url: {} } };

/** Builds the peer of one stream. It gets questions if `asks` is set, and the logs of all servers. */
export function streamPeer(
  elicitations: Elicitations,
  { send, asks, showsUrls, waits }: StreamPeerOptions,
): Peer {
  const capabilities = showsUrls ? FORMS_AND_URLS : FORMS;
  return {
    capabilities: asks ? capabilities : {},
    waits,
    logLevel: "debug",
    async answer({ params }, signal) {
      const { message, requestedSchema, url } = params;
      const schema = isObject(requestedSchema) ? requestedSchema as JsonObject : {};
      const address = typeof url === "string" ? { url } : {};
      let question = "";
      const answer = await elicitations.ask((id) => {
        question = id;
        send({ type: "elicit", id, message: String(message), schema, ...address });
      }, signal);
      if (answer === undefined) send({ type: "answered", id: question });
      return answer;
    },
  };
}
