/** Takes a token out of what a server sends back: it may repeat the headers of a request. */

import { Buffer } from "node:buffer";
import { PartSearch } from "#base";

const COVER = "*".charCodeAt(0);

/** The response with every occurrence of `secret` covered, also where chunks divide it. */
export function concealIn(response: Response, secret: string): Response {
  const { status, statusText, body } = response;
  const headers = new Headers();
  for (const [name, value] of response.headers) {
    const bytes = Buffer.from(value, "latin1");
    coverAll(bytes, new PartSearch(secret), { length: secret.length });
    headers.append(name, bytes.toString("latin1"));
  }
  const isEmpty = !body || status === 204 || status === 205 || status === 304;
  const covered = isEmpty ? null : coverStream(body, Buffer.from(secret).toString("latin1"));
  return new Response(covered, { status, statusText, headers });
}

/** Holds back only what may be the beginning of the secret, whose code units are bytes. */
function coverStream(
  body: ReadableStream<Uint8Array>,
  secret: string,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  const search = new PartSearch(secret);
  let held = Buffer.alloc(0);
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      for (;;) {
        const { value, done } = await reader.read();
        const bytes = value ? Buffer.concat([held, value]) : held;
        coverAll(bytes, search, { length: secret.length, from: held.length });
        const keep = done ? 0 : search.matched;
        held = bytes.subarray(bytes.length - keep);
        const ready = bytes.subarray(0, bytes.length - keep);
        if (ready.length > 0) controller.enqueue(new Uint8Array(ready));
        if (done) return controller.close();
        if (ready.length > 0) return;
      }
    },
    cancel: (reason) => reader.cancel(reason),
  });
}

/** Covers every occurrence that ends at `from` or later. */
function coverAll(
  bytes: Buffer,
  search: PartSearch,
  { length, from = 0 }: { readonly length: number; readonly from?: number },
): void {
  for (let at = from; at < bytes.length; at++) {
    if (search.add(bytes[at] ?? 0)) bytes.fill(COVER, at + 1 - length, at + 1);
  }
}
