/** Takes tokens out of what a server sends back: it may repeat the headers of its requests. */

import { Buffer } from "node:buffer";
import { createTurns, type Turn } from "#base";
import { Cover, type Form, formsOf } from "./cover.ts";

/** Number of tokens kept for each account. Older ones are hours old, or belong to a server whose
 * tokens live only for moments. */
const MOST_TOKENS = 10;
/** Length of the shortest secret that is covered, in bytes: shorter texts stand in many responses
 * by chance. */
const SHORTEST = 8;
/** Headers of an answer that are read. */
const READ = ["content-type", "location", "mcp-session-id", "www-authenticate"];
/** Longest value of them. */
const MOST_VALUE = 8_192;
/** Bytes that are covered in one turn. */
const PIECE = 4_096;

/** Account that a token belongs to, and the authorization server that issued it. */
export interface TokenOwner {
  readonly account: string;
  readonly issuer?: string;
}

interface GivenToken {
  readonly issuer: string | undefined;
  readonly forms: readonly Form[];
}

export interface ConcealOptions {
  /** Token of the request. */
  readonly own?: string;
  /** Account of the request (none). */
  readonly owner?: () => TokenOwner;
  readonly turn?: Turn;
}

/** The tokens that one origin was sent last, of all accounts there. */
export class GivenTokens {
  readonly #accounts = new Map<string, Map<string, GivenToken>>();

  /** Adds the newest token of an account. */
  add(token: string, { account, issuer }: TokenOwner): void {
    const tokens = this.#accounts.get(account) ?? new Map<string, GivenToken>();
    this.#accounts.set(account, tokens);
    const forms = tokens.get(token)?.forms ?? coveredFormsOf(token);
    tokens.delete(token);
    tokens.set(token, { issuer, forms });
    const [oldest] = tokens.keys();
    if (tokens.size > MOST_TOKENS && oldest !== undefined) tokens.delete(oldest);
  }

  /** Covers the tokens in a response: of its account, and those that the same authorization server
   * issued to others, as another one may choose a text that stands in honest answers. Covers also
   * tokens that are added while the body is read: an answer may come on an older stream. */
  conceal(
    response: Response,
    { own, owner = () => ({ account: "" }), turn }: ConcealOptions = {},
  ): Response {
    const ownForms = own === undefined ? [] : this.#find(own) ?? coveredFormsOf(own);
    return concealIn(response, () => [...this.#formsFor(owner()), ...ownForms], turn);
  }

  #find(token: string): readonly Form[] | undefined {
    for (const tokens of this.#accounts.values()) {
      const kept = tokens.get(token);
      if (kept) return kept.forms;
    }
    return undefined;
  }

  #formsFor({ account, issuer }: TokenOwner): Form[] {
    return [...this.#accounts].flatMap(([name, tokens]) =>
      [...tokens.values()].filter((one) => name === account || one.issuer === issuer)
        .flatMap(({ forms }) => forms)
    );
  }
}

function coveredFormsOf(token: string): Form[] {
  return formsOf(token).filter(({ length }) => length >= SHORTEST);
}

/** Covers every occurrence of the secrets in a response, also where chunks divide it, and where
 * JSON (at any depth) or an address escapes its characters. Calls `forms` at each piece of the
 * body, before which other work may run. Leaves out headers that are not read. */
export function concealIn(
  response: Response,
  forms: () => readonly Form[],
  turn: Turn = createTurns(),
): Response {
  const { status, statusText, body } = response;
  const headers = new Headers();
  for (const name of READ) {
    const value = response.headers.get(name);
    if (value !== null && value.length <= MOST_VALUE) headers.set(name, coverValue(value, forms()));
  }
  const isEmpty = !body || status === 204 || status === 205 || status === 304;
  const covered = isEmpty ? null : coverStream(body, forms, turn);
  return new Response(covered, { status, statusText, headers });
}

/** Covers secrets in the value of a header. A secret that is longer cannot stand in it: an escape
 * takes more bytes than what it stands for. */
function coverValue(value: string, forms: readonly Form[]): string {
  const bytes = Buffer.from(value, "latin1");
  const fitting = forms.filter(({ length }) => length <= bytes.length);
  new Cover(() => fitting).apply({ bytes, isLast: true });
  return bytes.toString("latin1");
}

/** Holds back only what may be the beginning of a secret. */
function coverStream(
  body: ReadableStream<Uint8Array>,
  forms: () => readonly Form[],
  turn: Turn,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  const cover = new Cover(forms);
  const held = new HeldBytes();
  let rest: Uint8Array = new Uint8Array();
  let isLast = false;
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      for (;;) {
        if (rest.length === 0) {
          const { value, done } = await reader.read();
          [rest, isLast] = [value ?? new Uint8Array(), done];
        }
        await turn();
        const bytes = held.add(rest.subarray(0, PIECE));
        rest = rest.subarray(PIECE);
        const ready = held.take(bytes.length - cover.apply({ bytes, isLast }));
        if (ready.length > 0) controller.enqueue(ready);
        if (isLast) return controller.close();
        if (ready.length > 0) return;
      }
    },
    cancel: (reason) => reader.cancel(reason),
  });
}

/** Bytes that are held until the next ones come. They are copied seldom: there may be millions, and
 * each chunk may be of one byte. */
class HeldBytes {
  #memory = Buffer.alloc(0);
  #start = 0;
  #end = 0;

  /** Adds bytes; returns all. */
  add(bytes: Uint8Array): Buffer {
    if (this.#end + bytes.length > this.#memory.length) {
      const before = this.#memory.subarray(this.#start, this.#end);
      this.#memory = Buffer.alloc(2 * before.length + bytes.length);
      this.#end = before.copy(this.#memory);
      this.#start = 0;
    }
    this.#memory.set(bytes, this.#end);
    this.#end += bytes.length;
    return this.#memory.subarray(this.#start, this.#end);
  }

  /** Removes the first `count` bytes, and returns them. */
  take(count: number): Uint8Array<ArrayBuffer> {
    const bytes = new Uint8Array(this.#memory.subarray(this.#start, this.#start + count));
    this.#start += count;
    if (this.#start === this.#end) this.#start = this.#end = 0;
    return bytes;
  }
}
