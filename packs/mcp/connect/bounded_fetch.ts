/** A `fetch` for long-lived streams: aborted bodies end, responses are bounded, and other work runs
 * while they are read. */

import { ByteBuffer, createQueue, createTurns, MOST_LEVELS, NestingMeter, TooDeep } from "#base";
import { AnswerTooLong } from "./long_messages.ts";
import { createEventCutter, SetAside } from "./set_aside.ts";

export type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

export interface BoundedFetchOptions {
  readonly maxBytes: number;
  /** Called with what ends a body. */
  readonly onError?: (error: unknown) => void;
  /** Takes large answers. */
  readonly setAside?: SetAside;
  /** Takes secrets of the request out of its answer. */
  readonly conceal?: (response: Response, init?: RequestInit) => Response;
}

/** Bytes after which other work may run: hundreds of messages in a stream. */
const PIECE = { stream: 4_096, answer: 65_536 };

/** Wraps `fetch` for one connection.
 *
 * Deno closes an aborted body only while its Response can still be reached, and loses a signal made of
 * others where nothing else holds it, so both are held until an event stream is over. A body, or one
 * event of a stream, fails past `maxBytes`, of which `onError` is told, and where it is nested too
 * deep. */
export function createBoundedFetch(
  fetch: Fetch,
  {
    maxBytes,
    onError = () => {},
    setAside = new SetAside(),
    conceal = (response) => response,
  }: BoundedFetchOptions,
): Fetch {
  const open = new Map<Response, AbortSignal | null | undefined>();
  const inTurn = createQueue();
  const turns = createTurns();
  // All bodies of a server have one turn after another: many streams are no faster than one.
  const turn = () => inTurn(turns);
  return async (input, init) => {
    const original = await fetch(input, init);
    const response = conceal(original, init);
    const { body, status, statusText, headers } = response;
    if (!body || isNullBody(status)) return response;
    const isStream = headers.get("content-type")?.startsWith("text/event-stream") === true;
    if (isStream) open.set(original, init?.signal);
    const whole = checked(body, {
      pieces: (chunks) => piecesOf(chunks, { maxBytes, isStream, setAside, turn }),
      release: () => open.delete(original),
      onError,
    });
    const read = new Response(whole, { status, statusText, headers });
    const json = async () => await setAside.parse(await read.text());
    return Object.defineProperty(read, "json", { value: json });
  };
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

interface PiecesOptions extends Pick<Required<BoundedFetchOptions>, "maxBytes" | "setAside"> {
  readonly isStream: boolean;
  readonly turn: () => Promise<void>;
}

async function* piecesOf(
  chunks: Chunks,
  { maxBytes, isStream, setAside, turn }: PiecesOptions,
): AsyncGenerator<Uint8Array> {
  const endsOf = createCheck({ maxBytes, isStream });
  const size = isStream ? PIECE.stream : PIECE.answer;
  const events = createEventCutter({ endsOf, setAside });
  const whole = new ByteBuffer();
  for await (const chunk of chunks) {
    for (let at = 0; at < chunk.length; at += size) {
      await turn();
      const piece = chunk.subarray(at, at + size);
      if (isStream) yield* events.take(piece);
      else {
        endsOf(piece);
        whole.add(piece);
      }
    }
  }
  const rest = isStream ? events.rest() : whole.bytes();
  if (rest.length > 0) yield rest;
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
