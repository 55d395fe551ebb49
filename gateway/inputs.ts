/** Inputs that running programs ask their client for, between the question and the bytes. */

interface Answer {
  readonly resolve: (bytes: Uint8Array) => void;
  readonly reject: (error: unknown) => void;
}

export interface Inputs {
  /** Prepares one run's input: `read` asks (once) by `ask` and resolves with the bytes. */
  open(ask: (id: string) => void): { read(): Promise<Uint8Array>; close(): void };
  /** The pending question of this id, once. */
  take(id: string): Answer | undefined;
}

/** Holds the questions that are open. */
export function createInputs(newId: () => string): Inputs {
  const pending = new Map<string, Answer>();
  return {
    open(ask) {
      const id = newId();
      const { promise, resolve, reject } = Promise.withResolvers<Uint8Array>();
      promise.catch(() => {}); // The run may end before it reads what could not be had.
      let asked = false;
      return {
        read() {
          if (!asked) {
            asked = true;
            pending.set(id, { resolve, reject });
            ask(id);
          }
          return promise;
        },
        close() {
          pending.delete(id);
          resolve(new Uint8Array());
        },
      };
    },
    take(id) {
      const answer = pending.get(id);
      pending.delete(id);
      return answer;
    },
  };
}
