/** Pending inputs of running programs, sent by their clients. */

interface PendingInput {
  readonly resolve: (bytes: Uint8Array) => void;
  readonly reject: (error: unknown) => void;
}

export interface Inputs {
  /** Opens the input of one run: `read` calls `ask` once and resolves with the bytes. */
  open(ask: (id: string) => void): { read(): Promise<Uint8Array>; close(): void };
  /** Removes and returns the pending input of this id. */
  take(id: string): PendingInput | undefined;
}

/** Builds the store of pending inputs. */
export function createInputs(newId: () => string): Inputs {
  const pending = new Map<string, PendingInput>();
  return {
    open(ask) {
      const id = newId();
      const { promise, resolve, reject } = Promise.withResolvers<Uint8Array>();
      promise.catch(() => {}); // The run may end before it reads the failure.
      let isRequested = false;
      return {
        read() {
          if (!isRequested) {
            isRequested = true;
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
      const input = pending.get(id);
      pending.delete(id);
      return input;
    },
  };
}
