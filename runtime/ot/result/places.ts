/** Places for reading stored results: each reader takes a processor, and a search memory. */

import { createSemaphore } from "#base";

const PAGES = 2;
const SEARCHES = 2;
/** Bytes of a text from which on one is searched at a time: it is in memory several times. */
const LARGE = 8 * 2 ** 20;

export interface Reader {
  readonly signal?: AbortSignal;
  /** Run that reads. */
  readonly run: string | undefined;
}

export interface ReadPlaces {
  /** Waits for a place. Rejects with the signal's reason. */
  page(reader: Reader): Promise<Disposable>;
  /** The same for a search, which has a thread of its own. */
  search(reader: Reader, bytes: number): Promise<Disposable>;
}

/** Makes the places: two of each kind, one of them for one run at most. */
export function createReadPlaces(): ReadPlaces {
  const pages = createSemaphore(PAGES, 1);
  const searches = createSemaphore(SEARCHES, 1);
  const large = createSemaphore(1, 1);
  return {
    async page({ signal, run }) {
      const held = new DisposableStack();
      held.defer(await pages.acquire(signal, run));
      return held;
    },
    async search({ signal, run }, bytes) {
      using held = new DisposableStack();
      held.defer(await searches.acquire(signal, run));
      if (bytes > LARGE) held.defer(await large.acquire(signal, run));
      return held.move();
    },
  };
}
