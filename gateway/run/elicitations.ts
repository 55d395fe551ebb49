/** Forms of servers for the clients of streamed runs. */

import { isObject, type JsonObject } from "#base";
import type { Peer } from "#packs";
import type { RunEvent } from "#runtime";
import type { Questions } from "./questions.ts";

type ElicitEvent = Extract<RunEvent, { type: "elicit" }>;

/** Answers of clients to forms, undefined without an answer in time. */
export type Elicitations = Questions<JsonObject | undefined>;

export interface StreamPeerOptions {
  readonly send: (event: ElicitEvent) => void;
  /** True where the client answers forms. */
  readonly asks: boolean;
  /** True where the client waits for answers that only the page can give. */
  readonly waits: boolean;
}

const FORMS: JsonObject = { elicitation: { form: {} } };

/** Builds the peer of one stream. It gets questions if `asks` is set, and the logs of all servers. */
export function streamPeer(
  elicitations: Elicitations,
  { send, asks, waits }: StreamPeerOptions,
): Peer {
  return {
    capabilities: asks ? FORMS : {},
    waits,
    logLevel: "debug",
    answer({ params }, signal) {
      const { message, requestedSchema } = params;
      const schema = isObject(requestedSchema) ? requestedSchema as JsonObject : {};
      return elicitations.ask(
        (id) => send({ type: "elicit", id, message: String(message), schema }),
        signal,
      );
    },
  };
}
