/** Pending questions to clients, each with an id. */

export interface Questions<T> {
  /** Sends a question with a new id; resolves with its answer, undefined without one in time. */
  ask(send: (id: string) => void, signal: AbortSignal): Promise<T | undefined>;
  /** Passes on the answer to a question, once; false when no question of this id is open. */
  answer(id: string, answer: T): boolean;
}

export interface QuestionsDeps {
  readonly newId: () => string;
  /** Time limit for an answer; read at each question, since the configuration can be reloaded. */
  readonly timeoutMs: () => number;
}

/** Builds the store of open questions. */
export function createQuestions<T>({ newId, timeoutMs }: QuestionsDeps): Questions<T> {
  const pending = new Map<string, (answer: T) => void>();
  return {
    async ask(send, signal) {
      const id = newId();
      const { promise, resolve } = Promise.withResolvers<T | undefined>();
      const giveUp = () => resolve(undefined);
      const timer = setTimeout(giveUp, timeoutMs());
      signal.addEventListener("abort", giveUp, { once: true });
      pending.set(id, resolve);
      try {
        send(id);
        return await promise;
      } finally {
        pending.delete(id);
        clearTimeout(timer);
        signal.removeEventListener("abort", giveUp);
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
