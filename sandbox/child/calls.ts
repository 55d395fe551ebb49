/** Calls of tools over the loader's own pipes: a control word out, a frame back. A connection would
 * make each call several times as slow. */

import { beginsWith, findText, sliceText } from "./bytes.ts";
import type { Inbox } from "./inbox.ts";
import { LONGEST_NAME, STAND_IN, type Word } from "./protocol.ts";

const { Promise } = globalThis;
const { parse } = JSON;
const decoder = new TextDecoder();
const decode = decoder.decode.bind(decoder);

export interface CarrierOptions {
  /** The address below which tools are called. */
  readonly gateway: string;
  readonly inbox: Inbox;
  /** Place in the program from where a call is made, where that is asked for. */
  readonly caller: () => string;
  /** Writes a control word soon, together with others. */
  readonly write: (word: Word) => void;
  /** Returns true when a call of this length may use the pipes. */
  readonly fits: (length: number) => boolean;
  /** Watches a stand-in. */
  readonly watch: (value: unknown) => unknown;
  readonly fetch: typeof fetch;
}

/** Part of a response that the preloaded module reads. */
type Answer = Pick<Response, "ok" | "status" | "json">;

/** Makes the `fetch` of the preloaded module. */
export function createCarrier(options: CarrierOptions): typeof fetch {
  const { gateway, inbox, caller, write, fits, watch, fetch } = options;
  const tools = `${gateway}/tools/`;
  let last = 0;

  function call(name: string, body: string): Promise<Answer> {
    const id = `${++last}`;
    write(`call ${id}@${caller()} ${name} ${body}`);
    return new Promise((resolve) => {
      inbox.expect(id, ({ status, bytes }) => {
        const text = decode(bytes);
        const json = async () => {
          const answer = await parse(text);
          if (status === STAND_IN) answer.result = watch(answer.result);
          return answer;
        };
        // Without a prototype: a patched `then` on it would be called.
        resolve({ __proto__: null, ok: status < 300, status, json } as Answer);
      });
    });
  }

  const carrier = (url: string, init: RequestInit): Promise<Answer> => {
    const { body } = init;
    const isCall = beginsWith(url, tools) && typeof body === "string";
    if (!isCall || !fits(url.length + body.length)) return fetch(url, init);
    const name = sliceText(url, tools.length, url.length);
    if (name.length > LONGEST_NAME || findText(name, " ", 0) !== -1) return fetch(url, init);
    return call(name, body);
  };
  return carrier as typeof fetch;
}
