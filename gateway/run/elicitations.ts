/** Pending questions of servers to the clients of streamed runs. */

import type { Peer } from "#packs";
import type { RunEvent } from "#runtime";
import { isObject, type JsonObject } from "#sandbox";

type ElicitEvent = Extract<RunEvent, { type: "elicit" }>;

export interface Elicitations {
  /** Builds the peer of one stream. It gets questions if `asks` is set, and the logs of all servers. */
  peer(send: (event: ElicitEvent) => void, options: { readonly asks: boolean }): Peer;
  /** Passes on the answer to a question, once; false when no question of this id is open. */
  answer(id: string, answer: JsonObject): boolean;
}

export interface ElicitationsDeps {
  readonly newId: () => string;
  /** Time limit for an answer; read at each question, since the configuration can be reloaded. */
  readonly timeoutMs: () => number;
}

const FORMS: JsonObject = { elicitation: { form: {} } };

/** Builds the store of open questions. */
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
