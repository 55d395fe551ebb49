/** The answer to a tool call, as `POST /tools/:name` gives it and as a run's own pipe does. */

import type { CallResult } from "#packs";
import type { AnswerCall } from "#runtime";
import type { Log } from "#sandbox";
import { parseBody, tooLarge } from "./body.ts";
import { problemOf } from "./problem.ts";

export interface CallAnswererOptions {
  /** Bytes of the arguments of one call; read each time. */
  readonly maxBytes: () => number;
  readonly log: Log;
}

/** Answers calls that come over a run's pipe. */
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

/** What a call gave, as it leaves. */
export function callBody({ value, content }: CallResult): object {
  return content ? { result: value, content } : { result: value };
}

/** A tool's name as it stands in an address; one that is not encoded well is no tool's. */
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
