/** Calls of tools over the loader's own pipes: a word out, a frame back. A connection would cost
 * each of them several times as much. */

import { beginsWith, findText, sliceText } from "./bytes.ts";
import type { Inbox } from "./inbox.ts";
import { LONGEST_NAME, type Word } from "./protocol.ts";

const { Promise } = globalThis;
const { parse } = JSON;
const decoder = new TextDecoder();
const decode = decoder.decode.bind(decoder);

export interface CarrierOptions {
  /** The address below which tools are called. */
  readonly gateway: string;
  readonly inbox: Inbox;
  /** Says a word soon, together with others. */
  readonly say: (word: Word) => void;
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
  let last = 0;

  function call(name: string, body: string): Promise<Answer> {
    const id = `${++last}`;
    say(`call ${id} ${name} ${body}`);
    return new Promise((resolve) => {
      inbox.expect(id, ({ status, bytes }) => {
        const text = decode(bytes);
        const json = async () => await parse(text);
        // Without a prototype, that of nobody else makes a promise of it.
        resolve({ __proto__: null, ok: status < 300, status, json } as Answer);
      });
    });
  }

  const carrier = (url: string, init: RequestInit): Promise<Answer> => {
    const { body } = init;
    const isCall = beginsWith(url, tools) && typeof body === "string";
    if (!isCall || !carries(url.length + body.length)) return fetch(url, init);
    const name = sliceText(url, tools.length, url.length);
    if (name.length > LONGEST_NAME || findText(name, " ", 0) !== -1) return fetch(url, init);
    return call(name, body);
  };
  return carrier as typeof fetch;
}
