/** Asks an API over HTTP for JSON: bounded in time and size, its errors told apart. */

import { PackError } from "../../errors.ts";
import { mapProblem } from "./api_problem.ts";
import type { ApiOptions } from "./api_options.ts";

export interface ApiRequest {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  /** Sent as JSON, by POST. */
  readonly body?: unknown;
}

/** The parsed answer; throws `PackError`, with `details.status` and `details.retry_after` where the
 * API answered. */
export async function askJson(request: ApiRequest, options: ApiOptions): Promise<unknown> {
  const { signal, timeoutMs, what, service } = options;
  const deadline = AbortSignal.timeout(timeoutMs);
  try {
    return await ask(request, { ...options, signal: AbortSignal.any([signal, deadline]) });
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

async function ask({ url, headers, body }: ApiRequest, options: ApiOptions): Promise<unknown> {
  const { fetch, signal, what, service } = options;
  const response = await fetch(url, {
    method: body === undefined ? "GET" : "POST",
    headers: {
      accept: "application/json",
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...headers,
    },
    body: body === undefined ? undefined : JSON.stringify(body),
    redirect: "manual", // a key goes nowhere else
    signal,
  });
  const text = await readText(response, options);
  const answer = parse(text);
  if (!response.ok) throw mapProblem(response, { ...options, answer: answer?.value });
  if (answer) return answer.value;
  throw new PackError("tool_error", `${what}: ${service} did not answer with JSON`, {
    retryable: true,
    details: { status: response.status },
  });
}

async function readText({ body }: Response, { maxBytes, what, service }: ApiOptions) {
  const decoder = new TextDecoder();
  let text = "";
  let size = 0;
  for await (const piece of body ?? []) {
    size += piece.length;
    if (size > maxBytes) {
      const why = `${service} answered with more than ${Math.round(maxBytes / 2 ** 20)} MB`;
      throw new PackError("too_large", `${what}: ${why}`);
    }
    text += decoder.decode(piece, { stream: true });
  }
  return text + decoder.decode();
}

function parse(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    // Told by whoever asked: an error's body need not be JSON.
    return undefined;
  }
}
