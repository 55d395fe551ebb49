/** What servers ask the clients of streamed runs, between the question and the answer. */

import type { Peer } from "#packs";
import type { RunEvent } from "#runtime";
import { isObject, type JsonObject } from "#sandbox";

type ElicitEvent = Extract<RunEvent, { type: "elicit" }>;

export interface Elicitations {
  /** The client of one stream. It is asked where `asks` is set, and told of every server's log. */
  peer(send: (event: ElicitEvent) => void, options: { readonly asks: boolean }): Peer;
  /** Takes the answer to a question, once; false when none of this id is open. */
  answer(id: string, answer: JsonObject): boolean;
}

export interface ElicitationsDeps {
  readonly newId: () => string;
  /** How long a question waits for its answer. Read each time: the configuration can be loaded
   * anew. */
  readonly timeoutMs: () => number;
}

const FORMS: JsonObject = { elicitation: { form: {} } };

/** Holds the questions that are open. */
export function createElicitations(deps: ElicitationsDeps): Elicitations {
  const pending = new Map<string, (answer: JsonObject | undefined) => void>();
  return {
    peer: (send, { asks }) => ({
      capabilities: asks ? FORMS : {},
      logLevel: "debug",
      async answer({ params }, signal) {
        const id = deps.newId();
        const { promise, resolve } = Promise.withResolvers<JsonObject | undefined>();
        const giveUp = () => resolve(undefined);
        const timer = setTimeout(giveUp, deps.timeoutMs());
        signal.addEventListener("abort", giveUp, { once: true });
        pending.set(id, resolve);
        try {
          const { message, requestedSchema } = params;
          const schema = isObject(requestedSchema) ? requestedSchema as JsonObject : {};
          send({ type: "elicit", id, message: String(message), schema });
          return await promise;
        } finally {
          pending.delete(id);
          clearTimeout(timer);
          signal.removeEventListener("abort", giveUp);
        }
      },
    }),
    answer(id, answer) {
      const resolve = pending.get(id);
      pending.delete(id);
      resolve?.(answer);
      return resolve !== undefined;
    },
  };
}
