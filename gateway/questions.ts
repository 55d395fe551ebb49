/** Questions of runs to their clients, between the question and the answer. */

import type { Answer, Ask, RunEvent } from "#runtime";

type ConfirmEvent = Extract<RunEvent, { type: "confirm" }>;

export interface Questions {
  /** What asks one client, by an event; a question that is not answered in time is a no. */
  asker(send: (event: ConfirmEvent) => void): Ask;
  /** Answers a question, once; false when none of this id is open. */
  answer(id: string, answer: Answer): boolean;
}

export interface QuestionsDeps {
  readonly newId: () => string;
  /** How long a question waits for its answer. Read each time: the configuration can be loaded
   * anew. */
  readonly timeoutMs: () => number;
}

/** Holds the questions that are open. */
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
