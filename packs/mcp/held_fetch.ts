/** A `fetch` for long-lived streams: bodies end when they are aborted, and answers are bounded. */

export type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

/** Wraps `fetch` for one connection.
 *
 * Deno closes an aborted body only while its Response can still be reached, so the Response of an
 * event stream is held until the stream is over. Other bodies fail past `maxBytes`. */
export function createHeldFetch(fetch: Fetch, maxBytes: number): Fetch {
  const held = new Set<Response>();
  return async (input, init) => {
    const response = await fetch(input, init);
    if (!response.body || isNullBody(response.status)) return response;
    const stream = response.headers.get("content-type")?.startsWith("text/event-stream") === true;
    if (stream) held.add(response);
    const body = stream
      ? releaseAfter(response.body, () => held.delete(response))
      : response.body.pipeThrough(bounded(maxBytes));
    return new Response(body, {
      status: response.status,
      statusText: response.statusText,
      headers: response.headers,
    });
  };
}

function isNullBody(status: number): boolean {
  return status < 200 || status === 204 || status === 205 || status === 304;
}

function releaseAfter(body: ReadableStream<Uint8Array>, release: () => void) {
  const reader = body.getReader();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { value, done } = await reader.read();
        if (!done) return controller.enqueue(value);
        release();
        controller.close();
      } catch (error) {
        release();
        controller.error(error);
      }
    },
    async cancel(reason) {
      release();
      await reader.cancel(reason);
    },
  });
}

function bounded(maxBytes: number): TransformStream<Uint8Array, Uint8Array> {
  let bytes = 0;
  return new TransformStream({
    transform(chunk, controller) {
      bytes += chunk.length;
      if (bytes > maxBytes) controller.error(new Error(`Answer is over ${maxBytes} bytes`));
      else controller.enqueue(chunk);
    },
  });
}
