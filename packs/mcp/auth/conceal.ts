/** Takes a token out of what a server sends back: it may repeat the headers of a request. */

import { Buffer } from "node:buffer";

const COVER = "*".charCodeAt(0);

/** The response with every occurrence of `secret` covered, also where chunks divide it. */
export function concealIn(response: Response, secret: string): Response {
  const { status, statusText, body } = response;
  const cover = "*".repeat(secret.length);
  const headers = new Headers();
  for (const [name, value] of response.headers) {
    headers.append(name, value.replaceAll(secret, cover));
  }
  const isEmpty = !body || status === 204 || status === 205 || status === 304;
  const covered = isEmpty ? null : coverStream(body, Buffer.from(secret));
  return new Response(covered, { status, statusText, headers });
}

/** Holds back only what may be the beginning of the secret. */
function coverStream(
  body: ReadableStream<Uint8Array>,
  secret: Uint8Array,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  let held = Buffer.alloc(0);
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      for (;;) {
        const { value, done } = await reader.read();
        const bytes = value ? Buffer.concat([held, value]) : held;
        coverAll(bytes, secret);
        const keep = done ? 0 : beginningAtEnd(bytes, secret);
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

function coverAll(bytes: Buffer, secret: Uint8Array): void {
  for (let at = bytes.indexOf(secret); at !== -1; at = bytes.indexOf(secret, at)) {
    bytes.fill(COVER, at, at + secret.length);
  }
}

/** Length of the longest end of `bytes` that the secret begins with. */
function beginningAtEnd(bytes: Buffer, secret: Uint8Array): number {
  for (let length = Math.min(secret.length - 1, bytes.length); length > 0; length--) {
    if (bytes.subarray(bytes.length - length).equals(secret.subarray(0, length))) return length;
  }
  return 0;
}
