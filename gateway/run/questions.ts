/** Pending questions of runs to their clients. */

import type { Answer, Ask, RunEvent } from "#runtime";

type ConfirmEvent = Extract<RunEvent, { type: "confirm" }>;

export interface Questions {
  /** Builds the function that asks one client by an event; a question without an answer in time is a
   * no. */
  asker(send: (event: ConfirmEvent) => void): Ask;
  /** Passes on the answer to a question, once; false when no question of this id is open. */
  answer(id: string, answer: Answer): boolean;
}

export interface QuestionsDeps {
  readonly newId: () => string;
  /** Time limit for an answer; read at each question, since the configuration can be reloaded. */
  readonly timeoutMs: () => number;
}

/** Builds the store of open questions. */
export function createQuestions(deps: QuestionsDeps): Questions {
  const pending = new Map<string, (answer: Answer) => void>();
  return {
    asker: (send) => async (question, signal) => {
      const id = deps.newId();
      const { promise, resolve } = Promise.withResolvers<Answer>();
      const refuse = () => resolve("no");
      const timer = setTimeout(refuse, deps.timeoutMs());
      signal.addEventListener("abort", refuse, { once: true });
      pending.set(id, resolve);
      try {
        send({ type: "confirm", id, line: null, ...question });
        return await promise;
      } finally {
        pending.delete(id);
        clearTimeout(timer);
        signal.removeEventListener("abort", refuse);
      }
    },
    answer(id, answer) {
      const resolve = pending.get(id);
      pending.delete(id);
      resolve?.(answer);
      return resolve !== undefined;
    },
  };
}
