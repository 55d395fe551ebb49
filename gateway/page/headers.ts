/** Headers of every response of the page, and responses with them. */

/** Headers that keep the page to itself: no other host, no frame, no other window. */
export const HEADERS = {
  "content-security-policy": "default-src 'self'",
  "cache-control": "no-store",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  // Without a referrer browsers would send `Origin: null` with forms.
  "referrer-policy": "same-origin",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
} as const;

/** Header that removes the service workers, storage and cached files of an earlier server of this port,
 * before the page loads. */
export const FRESH = { "clear-site-data": '"storage", "cache"' } as const;

export interface HtmlOptions {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Builds a response from a document. */
export async function html(
  document: unknown,
  { status = 200, headers = {} }: HtmlOptions = {},
): Promise<Response> {
  const text = `<!DOCTYPE html>${await document}`;
  return new Response(text, {
    status,
    headers: { ...HEADERS, "content-type": "text/html; charset=utf-8", ...headers },
  });
}

/** Place in a document of a part that follows later; no text of a page holds this character. */
export const LATER = "\0";

/** Builds a response whose head is sent at once, and the part at `LATER` when it is there. */
export async function htmlWithLater(
  document: unknown,
  later: () => Promise<string>,
): Promise<Response> {
  const [head = "", tail = ""] = `<!DOCTYPE html>${await document}`.split(LATER);
  const body = new ReadableStream<string>({
    async start(controller) {
      controller.enqueue(head);
      controller.enqueue(await later());
      controller.enqueue(tail);
      controller.close();
    },
  });
  const headers = { ...HEADERS, "content-type": "text/html; charset=utf-8" };
  return new Response(body.pipeThrough(new TextEncoderStream()), { headers });
}

/** Builds the response that leads a browser on after a form was sent. */
export function seeOther(location: string): Response {
  return new Response(null, { status: 303, headers: { ...HEADERS, location } });
}
