/** Request bodies of one media type and of bounded size. */

import { attempt, ByteBuffer, holdsOver, isNestedOver, messageOf, MOST_LEVELS } from "#base";
import { HttpError } from "./problem.ts";

/** Refuses a body that is not `application/json` (415): a foreign page can send forms and plain text
 * without a preflight request. */
export function requireJson(request: Request): void {
  requireType(request, "application/json");
}

/** Reads the fields of a form of the page; throws 415 for another type, 413 over `maxBytes`. */
export async function readForm(request: Request, maxBytes: number): Promise<URLSearchParams> {
  requireType(request, "application/x-www-form-urlencoded");
  return new URLSearchParams(new TextDecoder().decode(await readBytes(request, maxBytes)));
}

/** Refuses a body of another media type (415). */
export function requireType(request: Request, expected: string): void {
  const type = request.headers.get("content-type")?.split(";")[0]?.trim().toLowerCase();
  if (type === expected) return;
  throw new HttpError(
    "bad_request",
    `Cannot read the body: its type is "${type ?? ""}": send ${expected}`,
    { status: 415 },
  );
}

/** Reads the body as JSON; throws 415 for another type, 413 over `maxBytes`, 400 for invalid JSON. An
 * empty body is `undefined`. */
export async function readJson(request: Request, maxBytes: number): Promise<unknown> {
  requireJson(request);
  return parseBody(new TextDecoder().decode(await readBytes(request, maxBytes)));
}

/** Parses the text of a body as JSON; throws 400 for invalid JSON. An empty text is `undefined`. */
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
    const reason = messageOf(error);
    throw new HttpError("bad_request", `Cannot read the body: ${reason}: send valid JSON`);
  }
}

/** Parses the arguments of a call that a program made. Throws 413 for more lists and objects than one in
 * ten bytes of the limit, 400 for invalid JSON. An empty text has none. */
export function parseArguments(text: string, maxBytes: number): unknown {
  const most = Math.floor(maxBytes / 10);
  if (!holdsOver(text, most) || isNestedOver(text, MOST_LEVELS)) return parseBody(text) ?? {};
  throw new HttpError(
    "too_large",
    `Cannot read the arguments: they have more than ${most} lists and objects: send less in one ` +
      "call, or raise the limit (sandbox.call_mb)",
  );
}

/** Parses JSON; undefined where it is invalid. */
export function parseJson(text: string): unknown {
  if (isNestedOver(text, MOST_LEVELS)) return undefined;
  // The caller reports it as its protocol demands.
  return attempt(() => JSON.parse(text));
}

/** Reads the bytes of the body; throws 413 as soon as they exceed `maxBytes`. */
export async function readBytes(request: Request, maxBytes: number): Promise<Uint8Array> {
  const declared = request.headers.get("content-length");
  if (Number(declared) > maxBytes) throw tooLarge(maxBytes);
  // The server reads no more than the declared length; one read of the whole is the fastest.
  if (declared !== null) return await request.bytes();
  const buffer = new ByteBuffer();
  for await (const chunk of request.body ?? []) {
    if (buffer.size + chunk.length > maxBytes) throw tooLarge(maxBytes);
    buffer.add(chunk);
  }
  return buffer.bytes();
}

/** Builds the error for a body of more than `maxBytes`. */
export function tooLarge(maxBytes: number): HttpError {
  return new HttpError(
    "too_large",
    `Cannot read the body: it is larger than ${maxBytes} bytes: send less, or raise the limit ` +
      "(gateway.max_body_mb, for a call of a run sandbox.call_mb)",
  );
}
