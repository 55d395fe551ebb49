/** Pending questions to clients, each with an id. */

export interface Questions<T> {
  /** Sends a question with a new id; resolves with its answer, or with the fallback without one in
   * time. */
  ask(send: (id: string) => void, signal: AbortSignal): Promise<T>;
  /** Passes on the answer to a question, once; false when no question of this id is open. */
  answer(id: string, answer: T): boolean;
}

export interface QuestionsDeps<T> {
  readonly newId: () => string;
  /** Time limit for an answer; read at each question, since the configuration can be reloaded. */
  readonly timeoutMs: () => number;
  /** Answer to a question that was not answered in time. */
  readonly fallback: T;
}

/** Builds the store of open questions. */
export function createQuestions<T>({ newId, timeoutMs, fallback }: QuestionsDeps<T>): Questions<T> {
  const pending = new Map<string, (answer: T) => void>();
  return {
    async ask(send, signal) {
      const id = newId();
      const { promise, resolve } = Promise.withResolvers<T>();
      const giveUp = () => resolve(fallback);
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
