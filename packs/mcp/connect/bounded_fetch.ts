/** A `fetch` for long-lived streams: aborted bodies end, and responses are bounded. */

import { MOST_LEVELS, NestingMeter, parseLarge, TooDeep } from "#base";
import { AnswerTooLong } from "./long_messages.ts";

export type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

/** Wraps `fetch` for one connection.
 *
 * Deno closes an aborted body only while its Response can still be reached, so the Response of an
 * event stream is held until the stream is over. A body, or one event of a stream, fails past
 * `maxBytes`, of which `onError` is told, and where it is nested too deep. */
export function createBoundedFetch(
  fetch: Fetch,
  maxBytes: number,
  onError: (error: unknown) => void = () => {},
): Fetch {
  const responses = new Set<Response>();
  return async (input, init) => {
    const response = await fetch(input, init);
    if (!response.body || isNullBody(response.status)) return response;
    const isStream = response.headers.get("content-type")?.startsWith("text/event-stream") === true;
    if (isStream) responses.add(response);
    const body = checked(response.body, {
      check: createCheck({ maxBytes, isStream }),
      release: () => responses.delete(response),
      onError,
    });
    const read = new Response(body, {
      status: response.status,
      statusText: response.statusText,
      headers: response.headers,
    });
    // The client library would parse a large answer at once.
    const json = async () => await parseLarge(await read.text());
    return Object.defineProperty(read, "json", { value: json });
  };
}

function isNullBody(status: number): boolean {
  return status < 200 || status === 204 || status === 205 || status === 304;
}

interface CheckedOptions {
  /** Throws for a chunk that breaks a limit. */
  readonly check: (chunk: Uint8Array) => void;
  /** Called at the end of the body, also after an error. */
  readonly release: () => void;
  readonly onError: (error: unknown) => void;
}

function checked(body: ReadableStream<Uint8Array>, { check, release, onError }: CheckedOptions) {
  const reader = body.getReader();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { value, done } = await reader.read();
        if (value) check(value);
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

const NEWLINE = 10;
const RETURN = 13;

/** Makes the check of one body. Limits apply to each event of a stream, which an empty line ends. */
function createCheck(
  { maxBytes, isStream }: { readonly maxBytes: number; readonly isStream: boolean },
): CheckedOptions["check"] {
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

  return (chunk) => {
    for (const byte of chunk) {
      if (++bytes > maxBytes) throw new AnswerTooLong(maxBytes);
      if (meter.take(byte) > MOST_LEVELS) throw new TooDeep();
      if (!isStream || !endsEvent(byte)) continue;
      bytes = 0;
      meter.reset();
    }
  };
}
