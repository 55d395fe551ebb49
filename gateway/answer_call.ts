/** Responses to tool calls, the same for `POST /tools/:name` and for the pipe of a run. */

import { attempt, type JsonValue, type Log } from "#base";
import { type CallResult, MAX_RETRIES } from "#packs";
import { type AnswerCall, jsonOf } from "#runtime";
import { STAND_IN } from "#sandbox";
import { parseArguments, tooLarge } from "./body.ts";
import { HttpError, problemOf } from "./problem.ts";

export interface CallAnswererOptions {
  /** Maximum bytes of the arguments of one call; read at each call. */
  readonly maxBytes: () => number;
  readonly log: Log;
}

/** Builds the handler of calls that come over the pipe of a run. */
export function createCallAnswerer({ maxBytes, log }: CallAnswererOptions): AnswerCall {
  return async ({ name, body }, call) => {
    try {
      const [wire = "", query = ""] = name.split("?");
      const args = () => {
        const limit = maxBytes();
        if (body.length > limit || 3 * body.length > limit && bytesOf(body) > limit) {
          throw tooLarge(limit);
        }
        return () => parseArguments(body, limit);
      };
      const retry = readRetry(new URLSearchParams(query));
      const result = await call({ wire: decodeName(wire), args, retry });
      return { status: result.standIn ? STAND_IN : 200, body: await callText(result) };
    } catch (thrown) {
      const { status, error } = problemOf(thrown, log);
      return { status, body: JSON.stringify({ error }) };
    }
  };
}

/** Reads the repetitions that a call may have: `?retry=2`. */
export function readRetry(query: URLSearchParams): number | undefined {
  const text = query.get("retry");
  if (text === null) return undefined;
  const retry = Number(text);
  if (Number.isInteger(retry) && retry >= 0 && retry <= MAX_RETRIES) return retry;
  throw new HttpError("bad_request", `"retry" is a whole number from 0 to ${MAX_RETRIES}`);
}

/** Body of the response to a successful call; a large one is written in pieces. */
export async function callText({ value, content }: CallResult): Promise<string> {
  const body = content ? { result: value, content } : { result: value };
  return await jsonOf(body as JsonValue);
}

/** Decodes the name of a tool in a URL; a malformed name stays as it is and matches no tool. */
export function decodeName(name: string): string {
  return attempt(() => decodeURIComponent(name), name);
}

function bytesOf(text: string): number {
  return new TextEncoder().encode(text).length;
}
