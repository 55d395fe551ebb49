/** Events of a stream, read here: the client library gets what it needs to open the stream again, and
 * a short one in place of an answer. */

import { ByteBuffer, createTurns, LineTooLong } from "#base";

/** Takes the messages of one server. */
export interface MessageReader {
  /** Reads a text; resolves to true where it answers an open request. Throws `SyntaxError` for what is
   * no message, `LineTooLong`, `TooDeep` and `TooManyParts`. */
  read(text: string): Promise<boolean>;
  /** Counts what is no message. */
  refuse(error: Error): void;
}

/** Id of the message that replaces an answer which was read here. */
export const STAND_IN = "toolscript/read";

const ANSWERED = JSON.stringify({ jsonrpc: "2.0", id: STAND_IN, result: {} });
const NEWLINE = 10;
const RETURN = 13;
/** Lines of one event that are read at once. */
const LINES_AT_ONCE = 5_000;
const FIELDS = ["event", "id", "retry"];
/** Longest time until a stream is opened again: a timer takes 31 bits. */
const LONGEST_MS = 2 ** 31 - 1;
/** Longest id of an event, and longest address for messages. */
const MOST_FIELD = 8_192;

export interface EventsOptions {
  /** Offsets in a piece behind each event that ends there. */
  readonly endsOf: (piece: Uint8Array) => readonly number[];
  readonly messages: MessageReader;
  /** True for an answer to a GET: the library opens it again until it has seen an answer. */
  readonly isGet: boolean;
}

/** Creates the function that takes a stream piece by piece. It reads each event once it is
 * complete, and yields what the client library needs of it. The unfinished end of a stream is no
 * event. */
export function createEventReader({ endsOf, messages, isGet }: EventsOptions) {
  const decoder = new TextDecoder();
  const encoder = new TextEncoder();
  let held = new ByteBuffer();
  let opensAgain = isGet;

  /** Returns the held bytes with a piece behind them. */
  function join(piece: Uint8Array): Uint8Array {
    if (held.size === 0) return piece;
    held.add(piece);
    const bytes = held.bytes();
    held = new ByteBuffer();
    return bytes;
  }

  return async function* take(piece: Uint8Array): AsyncGenerator<Uint8Array> {
    let from = 0;
    for (const end of endsOf(piece)) {
      const text = decoder.decode(join(piece.subarray(from, end)));
      from = end;
      const event = await readEvent(text);
      opensAgain ||= event.position !== "";
      const left = await leftOf(event, { messages, opensAgain });
      if (left !== "") yield encoder.encode(left);
    }
    if (from < piece.length) held.add(piece.subarray(from));
  };
}

interface Event {
  readonly name: string;
  /** Lines by which a stream is opened again. */
  readonly position: string;
  readonly data: string;
}

interface LeftOptions {
  readonly messages: MessageReader;
  /** True where the library opens the stream again if it has seen no answer. */
  readonly opensAgain: boolean;
}

/** Reads the message of an event; returns the event for the client library, empty for none. */
async function leftOf(
  { name, position, data }: Event,
  { messages, opensAgain }: LeftOptions,
): Promise<string> {
  // The address for messages, on the older transport.
  if (name === "endpoint") return isField(data) ? `event: endpoint\ndata: ${data}\n\n` : "";
  const isMessage = (name === "" || name === "message") && data !== "";
  if (isMessage && await isAnswer(data, messages) && opensAgain) {
    return `${position}data: ${ANSWERED}\n\n`;
  }
  // Of an event of this name, only the position is read.
  return position === "" ? "" : `event: ${STAND_IN}\n${position}data:\n\n`;
}

async function isAnswer(data: string, messages: MessageReader): Promise<boolean> {
  try {
    return await messages.read(data);
  } catch (error) {
    if (!(error instanceof SyntaxError || error instanceof LineTooLong)) throw error;
    messages.refuse(error);
    return false;
  }
}

async function readEvent(text: string): Promise<Event> {
  const turn = createTurns();
  const data: string[] = [];
  const fields: Record<string, string> = {};
  let count = 0;
  for (let at = 0; at < text.length;) {
    const [end, next] = lineAt(text, at);
    const [field, value] = fieldOf(text.slice(at, end));
    if (field === "data") data.push(value);
    else if (FIELDS.includes(field)) fields[field] = value;
    at = next;
    if (++count % LINES_AT_ONCE === 0) await turn();
  }
  const { event: name = "", id = "", retry = "" } = fields;
  const position = [
    ...(id !== "" && isField(id) ? [`id: ${id}\n`] : []),
    ...(/^\d+$/.test(retry) ? [`retry: ${Math.min(Number(retry), LONGEST_MS)}\n`] : []),
  ];
  return { name, position: position.join(""), data: data.join("\n") };
}

/** Name and value of a line; a comment has no name. */
function fieldOf(line: string): readonly [name: string, value: string] {
  const colon = line.indexOf(":");
  if (colon === -1) return [line, ""];
  return [line.slice(0, colon), line.slice(colon + (line[colon + 1] === " " ? 2 : 1))];
}

/** Returns true for a value that fits one line. */
function isField(value: string): boolean {
  return value.length <= MOST_FIELD && !value.includes("\n");
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
