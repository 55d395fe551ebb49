/** Messages that wait for a client which does not read: of equal changes, and of the progress of one
 * request, the newest alone. A server can send them without end. */

import { attempt, isObject } from "#base";

/** Beginning of an event that may be replaced; large results are not decoded to find out. */
const NOTIFICATION = /^event: message\ndata: \{(?:"jsonrpc":"2\.0",)?"method":"notifications\//;
const LONGEST_BEGINNING = 100;
const decoder = new TextDecoder();
const CHANGE = /\/(?:list_changed|updated)$/;

/** Key of a message, given with its JSON: it replaces one of the same key that waits. */
export function unreadKey(message: unknown, json: string): string | symbol {
  if (!isObject(message) || typeof message.method !== "string") return Symbol();
  const { method, params } = message;
  if (CHANGE.test(method)) return json;
  if (method !== "notifications/progress" || !isObject(params)) return Symbol();
  return JSON.stringify([method, params.progressToken]);
}

/** The response with a body that holds the events which its client has not read. `onEnd` is called when
 * no more will come, or the client has left. */
export function boundUnread(response: Response, onEnd: () => void = () => {}): Response {
  if (response.body) return new Response(unreadEvents(response.body, onEnd), response);
  onEnd();
  return response;
}

function unreadEvents(
  events: ReadableStream<Uint8Array>,
  onEnd: () => void,
): ReadableStream<Uint8Array> {
  const reader = events.getReader();
  const unread = new Map<string | symbol, Uint8Array>();
  let hasEnded = false;

  type Controller = ReadableStreamDefaultController<Uint8Array>;
  function passOn(controller: Controller): void {
    while ((controller.desiredSize ?? 0) > 0) {
      const [oldest] = unread;
      if (oldest) {
        unread.delete(oldest[0]);
        controller.enqueue(oldest[1]);
      } else if (hasEnded) {
        controller.close();
      } else {
        return;
      }
    }
  }

  async function readAll(controller: Controller): Promise<void> {
    try {
      for (let next = await reader.read(); !next.done; next = await reader.read()) {
        unread.set(eventKey(next.value), next.value);
        passOn(controller);
      }
      hasEnded = true;
      passOn(controller);
    } catch (error) {
      controller.error(error);
    } finally {
      onEnd();
    }
  }

  return new ReadableStream({
    start: (controller) => void readAll(controller),
    pull: passOn,
    cancel(reason) {
      unread.clear();
      return reader.cancel(reason);
    },
  });
}

/** Key of an event as the library writes it; comments, which keep a stream alive, are equal. */
function eventKey(event: Uint8Array): string | symbol {
  const beginning = decoder.decode(event.subarray(0, LONGEST_BEGINNING));
  if (beginning.startsWith(":")) return beginning;
  if (!NOTIFICATION.test(beginning)) return Symbol();
  const text = decoder.decode(event);
  const json = text.slice(text.indexOf("{"));
  return unreadKey(attempt(() => JSON.parse(json)), json);
}
