/** Calls of tools over the loader's own pipes: a word out, a frame back. A connection would cost
 * each of them several times as much. */

import type { Inbox } from "./inbox.ts";
import type { Word } from "./protocol.ts";

const { queueMicrotask } = globalThis;
const decoder = new TextDecoder();

export interface CarrierOptions {
  /** The address below which tools are called. */
  readonly gateway: string;
  readonly inbox: Inbox;
  readonly say: (...words: readonly Word[]) => void;
  /** Whether a call of so many characters may go this way. */
  readonly carries: (length: number) => boolean;
  readonly fetch: typeof fetch;
}

/** What the preloaded module reads of a response. */
type Answer = Pick<Response, "ok" | "status" | "json">;

/** Stands for `fetch` where the preloaded module asks for it. */
export function createCarrier(options: CarrierOptions): typeof fetch {
  const { gateway, inbox, say, carries, fetch } = options;
  const tools = `${gateway}/tools/`;
  const words: Word[] = [];
  let last = 0;

  function call(name: string, body: string): Promise<Answer> {
    const id = `${++last}`;
    words.push(`call ${id} ${name} ${body}`);
    // Calls of one moment go together: each write may wake the gateway.
    if (words.length === 1) queueMicrotask(() => say(...words.splice(0)));
    return new Promise((resolve) => {
      inbox.expect(id, ({ status, bytes }) => {
        const text = decoder.decode(bytes);
        resolve({ ok: status < 300, status, json: async () => await JSON.parse(text) });
      });
    });
  }

  const carrier = (url: string, init: RequestInit): Promise<Answer> => {
    const { body } = init;
    const isCall = url.startsWith(tools) && typeof body === "string";
    if (!isCall || !carries(url.length + body.length)) return fetch(url, init);
    return call(url.slice(tools.length), body);
  };
  return carrier as typeof fetch;
}
