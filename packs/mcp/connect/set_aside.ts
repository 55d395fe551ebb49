/** Large answers, read in pieces here: the client library would parse them at once, and look at them
 * again and again. It gets a small answer in place of each. */

import { ByteBuffer, createTurns, isObject, LARGE } from "#base";
import { isUnasked, MOST_UNASKED, readMessage } from "./long_messages.ts";

const KEY = "toolscript/set-aside";
const NEWLINE = 10;
const RETURN = 13;
/** Lines of one event that are read at once. */
const LINES_AT_ONCE = 5_000;

export class SetAside {
  readonly #answers = new Map<string, Record<string, unknown>>();

  /** Sets an answer aside; returns the one in its place. Everything else stays as it is. */
  put(message: unknown): unknown {
    if (!isObject(message) || isUnasked(message) || message.jsonrpc !== "2.0") return message;
    if (typeof message.id !== "number" && typeof message.id !== "string") return message;
    const key = crypto.randomUUID();
    this.#answers.set(key, message);
    return { jsonrpc: "2.0", id: message.id, result: { [KEY]: key } };
  }

  /** The answer that was set aside for this one; every other message as it is. */
  take(message: unknown): unknown {
    const result = isObject(message) && isObject(message.result) ? message.result : {};
    const key = result[KEY];
    const answer = typeof key === "string" ? this.#answers.get(key) : undefined;
    if (answer === undefined || !isObject(message)) return message;
    this.#answers.delete(key as string);
    return { ...answer, id: message.id };
  }

  /** Reads a JSON text, and sets a large answer aside. */
  async parse(text: string): Promise<unknown> {
    const value = await readMessage(text);
    return text.length < LARGE ? value : this.put(value);
  }

  /** The event in place of one that is large; nothing for one that is no message of a server. */
  async replace(event: Uint8Array): Promise<Uint8Array> {
    const { fields, data } = await readEvent(new TextDecoder().decode(event));
    const value = await readMessage(data);
    const isLong = isUnasked(value) && data.length > MOST_UNASKED;
    const lines = isLong ? fields : [...fields, `data: ${JSON.stringify(this.put(value))}`];
    return new TextEncoder().encode(`${lines.join("\n")}\n\n`);
  }
}

/** Reads the data of an event, and its other lines. */
async function readEvent(text: string) {
  const turn = createTurns();
  const fields: string[] = [];
  const data: string[] = [];
  let count = 0;
  for (let at = 0; at < text.length;) {
    const [end, next] = lineAt(text, at);
    const line = text.slice(at, end);
    if (line.startsWith("data:")) data.push(line.slice(line[5] === " " ? 6 : 5));
    else if (/^(?:event|id|retry):/.test(line)) fields.push(line);
    at = next;
    if (++count % LINES_AT_ONCE === 0) await turn();
  }
  return { fields, data: data.join("\n") };
}

/** End of the line that begins at `from`, and the beginning of the next. */
function lineAt(text: string, from: number): readonly [end: number, next: number] {
  let end = from;
  while (end < text.length && text.charCodeAt(end) !== NEWLINE && text.charCodeAt(end) !== RETURN) {
    end++;
  }
  const isPair = text.charCodeAt(end) === RETURN && text.charCodeAt(end + 1) === NEWLINE;
  return [end, end + (isPair ? 2 : 1)];
}

export interface EventsOptions {
  /** Offsets in a piece behind each event that ends there. */
  readonly endsOf: (piece: Uint8Array) => readonly number[];
  readonly setAside: SetAside;
}

/** Makes the function that takes a stream piece by piece, each shorter than a large event, and gives it
 * event by event, large ones replaced. An event is held until it is whole. */
export function createEventCutter({ endsOf, setAside }: EventsOptions) {
  let held = new ByteBuffer();

  /** The held bytes with these behind them. */
  function join(piece: Uint8Array): Uint8Array {
    if (held.size === 0) return piece;
    held.add(piece);
    const bytes = held.bytes();
    held = new ByteBuffer();
    return bytes;
  }

  return {
    async *take(piece: Uint8Array): AsyncGenerator<Uint8Array> {
      const ends = endsOf(piece);
      const [first, last] = [ends[0], ends.at(-1)];
      if (first === undefined || last === undefined) return held.add(piece);
      const isLarge = held.size + first >= LARGE;
      if (isLarge) yield await setAside.replace(join(piece.subarray(0, first)));
      const whole = piece.subarray(isLarge ? first : 0, last);
      if (whole.length > 0) yield join(whole);
      if (last < piece.length) held.add(piece.subarray(last));
    },
    /** The rest at the end of the stream: no whole event. */
    rest: () => held.bytes(),
  };
}
