/** Messages of servers that are too long to be read. */

import { isObject, type LineEnds } from "#base";
import type { Failure } from "./failure.ts";

/** Longest message that is no answer, in characters. */
export const MOST_UNASKED = 1_048_576;
/** Text of the error that ends a server which sends a longer one. */
export const TOO_LONG_REQUEST = "Cannot read a request or a notification: it is over 1 MB";
/** Code of our error for an answer that is too long. */
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
export function answerFor(
  { first, last }: LineEnds,
  maxBytes: number,
): Record<string, unknown> | undefined {
  const id = FIRST.exec(first)?.[1] ?? LAST.exec(last)?.[1];
  if (id === undefined) return undefined;
  return { jsonrpc: "2.0", id: Number(id), error: { code: TOO_LONG, message: tooLong(maxBytes) } };
}

function tooLong(maxBytes: number): string {
  return `its answer is over ${Math.floor(maxBytes / 1_048_576)} MB: ask it for less`;
}
