/** A `fetch` for long-lived streams: aborted bodies end, responses are bounded, other work runs while
 * they are read, and messages are read here. */

import {
  ByteBuffer,
  createQueue,
  createTurns,
  MOST_LEVELS,
  NestingMeter,
  TooDeep,
  type Turn,
} from "#base";
import { AnswerTooLong } from "./long_messages.ts";
import { createEventReader, type MessageReader } from "./event_reader.ts";
import { createPlainFetch, type Fetch } from "./plain_fetch.ts";

export interface BoundedFetchOptions {
  readonly maxBytes: number;
  /** Called with the error that ends a body. */
  readonly onError?: (error: unknown) => void;
  /** Reader of the messages. With it, the caller gets no messages, and learns only that a request
   * was answered; without it, the caller gets all. */
  readonly messages?: MessageReader;
  /** Takes secrets of the request out of its answer, with turns for other work. */
  readonly conceal?: (response: Response, init?: RequestInit, turn?: Turn) => Response;
}

/** Bytes after which other work may run: hundreds of messages in a stream. */
const PIECE = { stream: 4_096, answer: 65_536 };
/** Bytes that are read of an error, and of what is no message. */
const MOST_OTHER = 65_536;

/** Wraps `fetch` for one connection.
 *
 * Nothing is unpacked, so each byte counts. Deno closes an aborted body only while its Response can
 * still be reached, and loses a signal made of others where nothing else holds it, so both are held
 * until an event stream is over. A body, or one event of a stream, fails past `maxBytes`, of which
 * `onError` is told, and where it is nested too deep. */
export function createBoundedFetch(
  fetch: Fetch,
  {
    maxBytes,
    onError = () => {},
    messages,
    conceal = (response) => response,
  }: BoundedFetchOptions,
): Fetch {
  const send = createPlainFetch(fetch);
  const open = new Map<Response, AbortSignal | null | undefined>();
  const inTurn = createQueue();
  const turns = createTurns();
  // All bodies of a server share one queue of turns: many streams are no faster than one.
  const turn = () => inTurn(turns);
  return async (input, init) => {
    const original = await send(input, init);
    await turn();
    const response = conceal(original, init, turn);
    const { body, status, statusText, headers } = response;
    if (!body || isNullBody(status)) return response;
    const isRead = messages !== undefined;
    const isGet = (init?.method ?? "GET") === "GET";
    const kind = kindOf(response, { isGet, isRead });
    if (kind === "stream") open.set(original, init?.signal);
    const checkedBody = checked(body, {
      pieces: (chunks) => piecesOf(chunks, { maxBytes, kind, isGet, messages, turn }),
      release: () => open.delete(original),
      onError,
    });
    const read = new Response(checkedBody, { status, statusText, headers });
    if (!isRead) return read;
    // The library collects what a notification is answered with.
    if (kind === "stream") Object.defineProperty(read, "text", { value: () => drop(read) });
    return Object.defineProperty(read, "json", { value: () => readJson(read, messages) });
  };
}

type BodyKind = "stream" | "answer" | "other";

/** Kind of a body, as the client library reads it: whatever answers a GET is a stream to it. */
function kindOf(
  { ok, headers }: Response,
  { isGet, isRead }: { readonly isGet: boolean; readonly isRead: boolean },
): BodyKind {
  if (!ok) return "other";
  const type = headers.get("content-type")?.toLowerCase() ?? "";
  if (type.startsWith("text/event-stream") || isRead && isGet) return "stream";
  return !isRead || type.startsWith("application/json") ? "answer" : "other";
}

/** Reads an answer that is no stream; the list of messages for the client library is empty. */
async function readJson(response: Response, messages: MessageReader): Promise<readonly never[]> {
  if (await messages.read(await response.text())) return [];
  throw new Error("Cannot use an answer: it answers no open request");
}

async function drop({ body }: Response): Promise<string> {
  await body?.cancel();
  return "";
}

function isNullBody(status: number): boolean {
  return status < 200 || status === 204 || status === 205 || status === 304;
}

type Chunks = AsyncIterable<Uint8Array>;

interface CheckedOptions {
  /** Cuts a body; throws where it breaks a limit. */
  readonly pieces: (chunks: Chunks) => AsyncGenerator<Uint8Array>;
  /** Called at the end of the body, also after an error. */
  readonly release: () => void;
  readonly onError: (error: unknown) => void;
}

function checked(body: ReadableStream<Uint8Array>, { pieces, release, onError }: CheckedOptions) {
  const reader = body.getReader();
  const all = pieces(chunksOf(reader));
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { value, done } = await all.next();
        if (!done) return controller.enqueue(value);
        release();
        controller.close();
        await reader.cancel().catch(() => {}); // a body may be longer than what is read of it
      } catch (error) {
        release();
        onError(error);
        controller.error(error);
        await reader.cancel(error).catch(() => {}); // the connection may be gone
      }
    },
    async cancel(reason) {
      release();
      await reader.cancel(reason);
    },
  });
}

async function* chunksOf(reader: ReadableStreamDefaultReader<Uint8Array>): Chunks {
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    yield value;
  }
}

interface PiecesOptions extends Pick<BoundedFetchOptions, "maxBytes" | "messages"> {
  readonly kind: BodyKind;
  readonly isGet: boolean;
  readonly turn: () => Promise<void>;
}

async function* piecesOf(
  chunks: Chunks,
  { maxBytes, messages, kind, isGet, turn }: PiecesOptions,
): AsyncGenerator<Uint8Array> {
  const isStream = kind === "stream";
  const endsOf = createCheck({ maxBytes, isStream });
  const size = isStream ? PIECE.stream : PIECE.answer;
  const readEvents = messages ? createEventReader({ endsOf, messages, isGet }) : checkOnly(endsOf);
  const whole = new ByteBuffer();
  for await (const chunk of kind === "other" ? beginningOf(chunks) : chunks) {
    for (let at = 0; at < chunk.length; at += size) {
      await turn();
      const piece = chunk.subarray(at, at + size);
      if (isStream) yield* readEvents(piece);
      else {
        endsOf(piece);
        whole.add(piece);
      }
    }
  }
  if (whole.size > 0) yield whole.bytes();
}

/** Makes the function that gives each piece of a stream as it is, once it is checked. */
function checkOnly(check: (piece: Uint8Array) => unknown) {
  return function* (piece: Uint8Array): Generator<Uint8Array> {
    check(piece);
    yield piece;
  };
}

async function* beginningOf(chunks: Chunks): Chunks {
  let left = MOST_OTHER;
  for await (const chunk of chunks) {
    yield chunk.subarray(0, left);
    left -= chunk.length;
    if (left <= 0) return;
  }
}

const NEWLINE = 10;
const RETURN = 13;

/** Makes the check of one body, which gives the offsets behind the events that end in a piece. Limits
 * apply to each event of a stream, which an empty line ends. */
function createCheck(
  { maxBytes, isStream }: { readonly maxBytes: number; readonly isStream: boolean },
): (piece: Uint8Array) => number[] {
  const meter = new NestingMeter();
  let bytes = 0;
  let last = 0;
  let isLineEmpty = true;

  /** Returns true for a byte that ends an event. */
  function endsEvent(byte: number): boolean {
    const isRest = byte === NEWLINE && last === RETURN;
    last = byte;
    if (isRest) return false;
    const isEnd = byte === NEWLINE || byte === RETURN;
    const ends = isEnd && isLineEmpty;
    isLineEmpty = isEnd;
    return ends;
  }

  return (piece) => {
    const ends: number[] = [];
    let at = 0;
    for (const byte of piece) {
      at++;
      if (++bytes > maxBytes) throw new AnswerTooLong(maxBytes);
      if (meter.take(byte) > MOST_LEVELS) throw new TooDeep();
      if (!isStream || !endsEvent(byte)) continue;
      ends.push(at);
      bytes = 0;
      meter.reset();
    }
    return ends;
  };
}
