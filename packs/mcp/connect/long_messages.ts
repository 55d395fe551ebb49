/** Messages of servers that are too long to be read. */

import { isLarge, isObject, type LineEnds, LineTooLong, parseLarge, TooManyParts } from "#base";
import type { Failure } from "./failure.ts";

/** Longest message that is no answer, in characters. */
const MOST_UNASKED = 1_048_576;
/** Lists and objects of an answer: each takes up to a hundred bytes. */
export const MOST_PARTS = 2_500_000;
/** Messages in one list; lists are of an older protocol, and short. */
const MOST_LISTED = 10_000;
/** Code of our error for an answer that is too long, or has too many parts. */
export const TOO_LONG = -32_098;

/** An answer over HTTP that is too long. */
export class AnswerTooLong extends Error {
  override readonly name = "AnswerTooLong";
  constructor(maxBytes: number) {
    super(tooLong(maxBytes));
  }

  get failure(): Failure {
    return { kind: "rpc", code: TOO_LONG, message: this.message };
  }
}

const FIRST = /^\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?"id"\s*:\s*(\d{1,15})\s*,/;
const LAST = /,\s*"id"\s*:\s*(\d{1,15})\s*(?:,\s*"jsonrpc"\s*:\s*"2\.0"\s*)?\}\s*$/;

/** True for a request or a notification. */
export function isUnasked(message: unknown): boolean {
  return isObject(message) && "method" in message;
}

/** The answer in place of one that is too long; undefined where its beginning and its end do not say
 * what it answers. */
export function answerFor(ends: LineEnds, maxBytes: number): Record<string, unknown> | undefined {
  return refusedAnswer(ends, tooLong(maxBytes));
}

/** Reads the text of a message, or of a list of them; one with too many lists and objects becomes the
 * answer in its place. Throws `SyntaxError`, `TooDeep`, and `TooManyParts` where the text does not say
 * what it answers. */
export async function readMessage(text: string): Promise<unknown> {
  try {
    return await parseLarge(text, MOST_PARTS);
  } catch (error) {
    if (!(error instanceof TooManyParts)) throw error;
    const ends = { first: text.slice(0, END), last: text.slice(-END) };
    const why = `its answer has over ${
      MOST_PARTS.toLocaleString("en")
    } lists and objects: ask it for less`;
    const answer = refusedAnswer(ends, why);
    if (answer === undefined) throw error;
    return answer;
  }
}

/** Throws `LineTooLong` for requests and notifications over 1 MB, and for too many in one list. */
export function checkSize(read: unknown, { length }: string): void {
  const messages = Array.isArray(read) ? read : [read];
  if (messages.length > MOST_LISTED) {
    throw new LineTooLong("Cannot read a list of over 10,000 messages");
  }
  if (length > MOST_UNASKED && messages.some((each) => isUnasked(each) && isLarge(each))) {
    throw new LineTooLong("Cannot read a request or a notification: it is over 1 MB");
  }
}

/** Characters at an end of a message that say what it answers. */
const END = 1_024;

function refusedAnswer(
  { first, last }: LineEnds,
  message: string,
): Record<string, unknown> | undefined {
  const id = FIRST.exec(first)?.[1] ?? LAST.exec(last)?.[1];
  if (id === undefined) return undefined;
  return { jsonrpc: "2.0", id: Number(id), error: { code: TOO_LONG, message } };
}

function tooLong(maxBytes: number): string {
  return `its answer is over ${Math.floor(maxBytes / 1_048_576)} MB: ask it for less`;
}
