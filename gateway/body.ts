/** Request bodies: of one type, of bounded size. */

import { isNestedOver, joinBytes, MOST_LEVELS } from "#sandbox";
import { HttpError } from "./problem.ts";

/** Refuses a body that is not `application/json` (415): a form or a plain text is what a foreign
 * page can send without asking. */
export function requireJson(request: Request): void {
  const type = request.headers.get("content-type")?.split(";")[0]?.trim().toLowerCase();
  if (type === "application/json") return;
  throw new HttpError(
    "bad_request",
    `Cannot read the body: its type is "${type ?? ""}": send application/json`,
    { status: 415 },
  );
}

/** The body as JSON; 413 over `maxBytes`, 400 where it is no JSON. An empty body is `undefined`. */
export async function readJson(request: Request, maxBytes: number): Promise<unknown> {
  return parseBody(new TextDecoder().decode(await readBytes(request, maxBytes)));
}

/** A body's text as JSON; 400 where it is none. An empty one is `undefined`. */
export function parseBody(text: string): unknown {
  if (text.trim() === "") return undefined;
  if (isNestedOver(text, MOST_LEVELS)) {
    throw new HttpError(
      "bad_request",
      `Cannot read the body: it is nested more than ${MOST_LEVELS} levels deep: send it flatter`,
    );
  }
  try {
    return JSON.parse(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new HttpError("bad_request", `Cannot read the body: ${reason}: send valid JSON`);
  }
}

/** The value that a text spells, undefined where it spells none. */
export function parseJson(text: string): unknown {
  if (isNestedOver(text, MOST_LEVELS)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    // Whoever asked answers that in the words of its protocol.
    return undefined;
  }
}

/** The body's bytes; 413 as soon as it is known to be over `maxBytes`. */
export async function readBytes(request: Request, maxBytes: number): Promise<Uint8Array> {
  const declared = request.headers.get("content-length");
  if (Number(declared) > maxBytes) throw tooLarge(maxBytes);
  // The server takes no more than was declared; one read of the whole is the quickest.
  if (declared !== null) return await request.bytes();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body ?? []) {
    size += chunk.byteLength;
    if (size > maxBytes) throw tooLarge(maxBytes);
    chunks.push(chunk);
  }
  return joinBytes(chunks);
}

/** The error for a body of more than `maxBytes`. */
export function tooLarge(maxBytes: number): HttpError {
  return new HttpError(
    "too_large",
    `Cannot read the body: it is larger than ${maxBytes} bytes: send less, or raise the limit ` +
      "(gateway.max_body_mb, for a call of a run sandbox.call_mb)",
  );
}
