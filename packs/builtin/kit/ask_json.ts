/** JSON requests to an API over HTTP, bounded in time and size. */

import { parseLarge, TooManyParts } from "#base";
import { PackError } from "../../errors.ts";
import { readBounded } from "./read_bounded.ts";
import { asRecord, asText } from "./values.ts";

const MAX_QUOTED = 300;
/** Size of a response: an endpoint answers with a fraction of it. */
const MAX_BYTES = 4 * 2 ** 20;
/** Lists and objects of a response. */
const MOST_PARTS = 100_000;

export interface ApiRequest {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  /** Sent as JSON, by POST. */
  readonly body?: unknown;
}

export interface ApiOptions {
  readonly fetch: typeof fetch;
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  /** First words of an error: `Cannot search`. */
  readonly what: string;
  /** Name of the API in errors: `Brave Search`. */
  readonly service: string;
  /** Setting to check when a request is refused: `packs.brave.api_key`. */
  readonly keySetting: string;
  readonly timeoutSetting: string;
  /** Text that is removed from quoted responses. */
  readonly secret: string | undefined;
}

/** Sends a request and returns the parsed response. Throws `PackError`, with `details.status` and
 * `details.retry_after` (seconds) if the API responded. */
export async function askJson(request: ApiRequest, options: ApiOptions): Promise<unknown> {
  const { signal, timeoutMs, what, service } = options;
  const deadline = AbortSignal.timeout(timeoutMs);
  try {
    return await send(request, { ...options, signal: AbortSignal.any([signal, deadline]) });
  } catch (error) {
    if (error instanceof PackError || signal.aborted) throw error;
    if (deadline.aborted) {
      const why = `${service} did not answer within ${timeoutMs / 1000} s: try again, or set ` +
        options.timeoutSetting;
      throw new PackError("timeout", `${what}: ${why}`, { retryable: true, cause: error });
    }
    const message = `${what}: ${service} cannot be reached`;
    throw new PackError("tool_error", message, { retryable: true, cause: error });
  }
}

async function send({ url, headers, body }: ApiRequest, options: ApiOptions): Promise<unknown> {
  const { fetch, signal, what, service } = options;
  const response = await fetch(url, {
    method: body === undefined ? "GET" : "POST",
    headers: {
      accept: "application/json",
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...headers,
    },
    body: body === undefined ? undefined : JSON.stringify(body),
    redirect: "manual", // the key is sent to no other address
    signal,
  });
  const tooLarge = (size: string) =>
    new PackError("too_large", `${what}: ${service} answered with more than ${size}`);
  const bytes = await readBounded(response.body ?? [], MAX_BYTES);
  if (bytes === undefined) throw tooLarge(`${MAX_BYTES >> 20} MB`);
  const parsed = await parse(new TextDecoder().decode(bytes));
  if (parsed === "too many") throw tooLarge(`${MOST_PARTS} lists and objects`);
  if (!response.ok) throw responseError(response, parsed?.value, options);
  if (parsed) return parsed.value;
  throw new PackError("tool_error", `${what}: ${service} did not answer with JSON`, {
    retryable: true,
    details: { status: response.status },
  });
}

/** The value of JSON; undefined for other text, which the body of an error response may be. */
async function parse(text: string): Promise<{ readonly value: unknown } | "too many" | undefined> {
  try {
    return { value: await parseLarge(text, MOST_PARTS) };
  } catch (error) {
    return error instanceof TooManyParts ? "too many" : undefined;
  }
}

function responseError(
  { status, headers }: Response,
  body: unknown,
  { what, service, keySetting, secret }: ApiOptions,
): PackError {
  const message = messageIn(body, secret);
  const quoted = message === "" ? "" : ` (${message})`;
  const wait = waitOf(headers);
  const fail = (why: string, retryable = false) =>
    new PackError("tool_error", `${what}: ${why}`, {
      retryable,
      details: { status, ...(wait === undefined ? {} : { retry_after: wait }) },
    });
  if (status === 401 || status === 403) {
    return fail(`${service} does not take the key${quoted}: look at ${keySetting}`);
  }
  if (status === 429) {
    const later = wait === undefined ? "try again later" : `try again after ${wait} s`;
    return fail(`${service} has had too many requests${quoted}: ${later}`, true);
  }
  return fail(`${service} answered ${status}${quoted}`, status >= 500);
}

/** Seconds to wait: `Retry-After`, or `X-RateLimit-Reset` of the limits that are used up. */
function waitOf(headers: Headers): number | undefined {
  const after = headers.get("retry-after");
  if (after !== null && /^\d+$/.test(after.trim())) return Number(after);
  const numbers = (name: string) => (headers.get(name) ?? "").split(",").map(Number);
  const remaining = numbers("x-ratelimit-remaining");
  const resets = numbers("x-ratelimit-reset").filter((_, at) => !(Number(remaining[at]) > 0));
  const wait = Math.max(...resets.filter((reset) => reset > 0));
  return headers.has("x-ratelimit-reset") && Number.isFinite(wait) ? wait : undefined;
}

/** The message in an error response, on one line, without the secret. */
function messageIn(body: unknown, secret: string | undefined): string {
  const { error, message, detail } = asRecord(body);
  const inner = asRecord(error);
  const text = asText(inner.message) ?? asText(inner.detail) ?? asText(error) ?? asText(message) ??
    asText(detail) ?? "";
  const bare = secret ? text.replaceAll(secret, "…") : text;
  const line = bare.replace(/[\s\p{Cc}]+/gu, " ").trim();
  return line.length > MAX_QUOTED ? `${line.slice(0, MAX_QUOTED)}…` : line;
}
