/** Takes tokens out of what a server sends back: it may repeat the headers of its requests. */

import { Buffer } from "node:buffer";
import { PartSearch } from "#base";

const COVER = "*".charCodeAt(0);
/** Older ones are of hours ago, or of a server whose tokens live for moments. */
const MOST_TOKENS = 10;

/** The tokens that one server was sent last. */
export class GivenTokens {
  readonly #tokens = new Set<string>();

  /** Takes the newest. */
  add(token: string): void {
    this.#tokens.delete(token);
    this.#tokens.add(token);
    const [oldest] = this.#tokens;
    if (this.#tokens.size > MOST_TOKENS && oldest !== undefined) this.#tokens.delete(oldest);
  }

  /** The response without them and `own`, the token that it was asked for with; also without those that
   * are added while its body is read: an answer may come on an older stream. */
  conceal(response: Response, own?: string): Response {
    const all = () => [...this.#tokens, ...(own === undefined ? [] : [own])].flatMap(spellings);
    return concealIn(response, all);
  }
}

/** Writers of JSON may put a backslash before each slash. */
function spellings(token: string): string[] {
  return token.includes("/") ? [token, token.replaceAll("/", "\\/")] : [token];
}

/** The response with every occurrence of the secrets covered, also where chunks divide them. They are
 * asked for at each chunk. */
export function concealIn(response: Response, secrets: () => readonly string[]): Response {
  const { status, statusText, body } = response;
  const headers = new Headers();
  for (const [name, value] of response.headers) {
    const bytes = Buffer.from(value, "latin1");
    createCover(secrets)(bytes, 0);
    headers.append(name, bytes.toString("latin1"));
  }
  const isEmpty = !body || status === 204 || status === 205 || status === 304;
  return new Response(isEmpty ? null : coverStream(body, secrets), { status, statusText, headers });
}

/** Holds back only what may be the beginning of a secret. */
function coverStream(
  body: ReadableStream<Uint8Array>,
  secrets: () => readonly string[],
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  const cover = createCover(secrets);
  let held = Buffer.alloc(0);
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      for (;;) {
        const { value, done } = await reader.read();
        const bytes = value ? Buffer.concat([held, value]) : held;
        const matched = cover(bytes, held.length);
        const keep = done ? 0 : matched;
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

/** Makes the function that covers every occurrence which ends at `from` or later, and returns how many
 * bytes at the end may be the beginning of one. */
function createCover(secrets: () => readonly string[]): (bytes: Buffer, from: number) => number {
  let searches = new Map<string, Search>();

  return (bytes, from) => {
    searches = new Map(
      secrets().filter((secret) => secret !== "").map((secret) =>
        [secret, searches.get(secret) ?? newSearch(secret)] as const
      ),
    );
    const all = [...searches.values()];
    // Covered after all searches: secrets may overlap.
    for (const [start, end] of foundIn(bytes, all, from)) bytes.fill(COVER, start, end);
    return Math.max(0, ...all.map(({ units }) => units.matched));
  };
}

interface Search {
  readonly units: PartSearch;
  /** In bytes. */
  readonly length: number;
  readonly first: number;
}

function newSearch(secret: string): Search {
  const bytes = Buffer.from(secret);
  const units = new PartSearch(bytes.toString("latin1"));
  return { units, length: bytes.length, first: bytes[0] ?? 0 };
}

/** Places of the occurrences that end at `from` or later: start, and end behind it. */
function foundIn(bytes: Buffer, searches: readonly Search[], from: number): [number, number][] {
  const places: [number, number][] = [];
  const firsts = new Uint8Array(256);
  for (const { first } of searches) firsts[first] = 1;
  let isWithin = true;
  for (let at = from; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0;
    if (!isWithin && firsts[byte] === 0) continue;
    isWithin = false;
    for (const { units, length } of searches) {
      if (units.add(byte)) places.push([at + 1 - length, at + 1]);
      if (units.matched > 0) isWithin = true;
    }
  }
  return places;
}
