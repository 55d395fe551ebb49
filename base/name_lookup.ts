/** Look-ups of host names, a few at a time. The system does them in the threads that this process
 * also needs for files; a look-up at a silent name server keeps its thread for ten seconds and
 * more, even after its caller has given up. */

import type { LookupAddress } from "node:dns";
import { lookup } from "node:dns/promises";
import { isIP } from "node:net";
import { abortable } from "./async.ts";
import { createSemaphore } from "./semaphore.ts";

export type HostAddress = Readonly<LookupAddress>;

/** Asker of a name. */
export interface NameAsker {
  readonly signal: AbortSignal;
  /** Run that asks. */
  readonly run: string | undefined;
}

export interface NameLookup {
  /** All addresses of a name, of the system's files too. Rejects with the signal's reason, and with the
   * errors of `getaddrinfo`. */
  addresses(name: string, asker: NameAsker): Promise<readonly HostAddress[]>;
}

/** Look-ups at once: a quarter of the threads. */
const MOST = 8;
/** Those of one run. */
const SHARE = 4;

/** Makes the look-up of a whole process. Callers that ask for one name at the same time share a
 * look-up. */
export function createNameLookup(
  find: (name: string) => Promise<readonly HostAddress[]> = (name) => lookup(name, { all: true }),
): NameLookup {
  const places = createSemaphore(MOST, SHARE);
  const open = new Map<string, Promise<readonly HostAddress[]>>();

  async function start(name: string, { signal, run }: NameAsker) {
    const release = await places.acquire(signal, run);
    const started = open.get(name);
    if (started) {
      release();
      return started;
    }
    const answer = (async () => await find(name))().finally(() => {
      open.delete(name);
      release();
    });
    open.set(name, answer);
    return answer;
  }

  return {
    async addresses(name, asker) {
      const family = isIP(name);
      if (family !== 0) return [{ address: name, family }];
      return await abortable(open.get(name) ?? start(name, asker), asker.signal);
    },
  };
}
