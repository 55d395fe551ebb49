/** What an API's answer other than success means. */

import { PackError } from "../../errors.ts";
import type { ApiOptions } from "./api_options.ts";
import { asRecord, asText } from "./values.ts";

const MAX_SAID = 300;

/** The error to throw for an answer. */
export function mapProblem(
  { status, headers }: Response,
  { what, service, keySetting, secret, answer }: ApiOptions & { readonly answer: unknown },
): PackError {
  const said = saidIn(answer, secret);
  const quoted = said === "" ? "" : ` (${said})`;
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

/** Seconds to wait, by `Retry-After` or the first limit of `X-RateLimit-Reset` that is used up. */
function waitOf(headers: Headers): number | undefined {
  const after = headers.get("retry-after");
  if (after !== null && /^\d+$/.test(after.trim())) return Number(after);
  const numbers = (name: string) => (headers.get(name) ?? "").split(",").map(Number);
  const remaining = numbers("x-ratelimit-remaining");
  const resets = numbers("x-ratelimit-reset").filter((_, at) => !(Number(remaining[at]) > 0));
  const wait = Math.max(...resets.filter((reset) => reset > 0));
  return headers.has("x-ratelimit-reset") && Number.isFinite(wait) ? wait : undefined;
}

/** The API's own words, on one line. */
function saidIn(answer: unknown, secret: string | undefined): string {
  const { error, message, detail } = asRecord(answer);
  const about = asRecord(error);
  const said = asText(about.message) ?? asText(about.detail) ?? asText(error) ?? asText(message) ??
    asText(detail) ?? "";
  const bare = secret ? said.replaceAll(secret, "…") : said;
  const line = bare.replace(/[\s\p{Cc}]+/gu, " ").trim();
  return line.length > MAX_SAID ? `${line.slice(0, MAX_SAID)}…` : line;
}
