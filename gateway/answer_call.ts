/** Responses to tool calls, the same for `POST /tools/:name` and for the pipe of a run. */

import type { Log } from "#base";
import type { CallResult } from "#packs";
import type { AnswerCall } from "#runtime";
import { parseBody, tooLarge } from "./body.ts";
import { problemOf } from "./problem.ts";

export interface CallAnswererOptions {
  /** Maximum bytes of the arguments of one call; read at each call. */
  readonly maxBytes: () => number;
  readonly log: Log;
}

/** Builds the handler of calls that come over the pipe of a run. */
export function createCallAnswerer({ maxBytes, log }: CallAnswererOptions): AnswerCall {
  return async ({ name, body }, call) => {
    try {
      const result = await call(decodeName(name), () => {
        const limit = maxBytes();
        if (body.length > limit || 3 * body.length > limit && bytesOf(body) > limit) {
          throw tooLarge(limit);
        }
        return parseBody(body) ?? {};
      });
      return { status: 200, body: JSON.stringify(callBody(result)) };
    } catch (thrown) {
      const { status, error } = problemOf(thrown, log);
      return { status, body: JSON.stringify({ error }) };
    }
  };
}

/** Body of the response to a successful call. */
export function callBody({ value, content }: CallResult): object {
  return content ? { result: value, content } : { result: value };
}

/** Decodes the name of a tool in a URL; a malformed name stays as it is and matches no tool. */
export function decodeName(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

function bytesOf(text: string): number {
  return new TextEncoder().encode(text).length;
}
