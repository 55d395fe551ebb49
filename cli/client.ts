/** HTTP client of one gateway. */

import { isObject } from "#base";
import { CliError } from "./error.ts";

/** Same name as in `gateway/client_name.ts`. */
const AGENT = "toolscript-cli";

export interface ClientOptions {
  readonly url: string;
  readonly token: string | undefined;
  readonly fetch: typeof fetch;
}

export interface Client {
  readonly url: string;
  readonly token: string | undefined;
  /** Sends a request with the token; throws `GatewayError` for an error response. */
  request(path: string, init?: RequestInit): Promise<Response>;
  /** Resolves with true if `/health` responds within `ms`. */
  isHealthy(ms: number): Promise<boolean>;
  /** Reads the JSON of a GET with any status; undefined without a response within `ms`. */
  peek(path: string, ms: number): Promise<unknown>;
}

/** Error response of the gateway. */
export class GatewayError extends CliError {
  readonly code: string;
  readonly details: Readonly<Record<string, unknown>>;
  constructor(code: string, message: string, details: Readonly<Record<string, unknown>> = {}) {
    super(code === "unauthorized" ? 2 : 1, message);
    this.code = code;
    this.details = details;
  }
}

/** Builds a client; it sends nothing yet. */
export function createClient({ url, token, fetch }: ClientOptions): Client {
  const base = url.replace(/\/+$/, "");

  function send(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers);
    if (token !== undefined) headers.set("authorization", `Bearer ${token}`);
    headers.set("user-agent", AGENT);
    return fetch(`${base}${path}`, { ...init, headers, redirect: "error" });
  }

  async function peek(path: string, ms: number): Promise<unknown> {
    try {
      const response = await fetch(`${base}${path}`, {
        signal: AbortSignal.timeout(ms),
        redirect: "error",
      });
      return await response.json();
    } catch {
      // No response, too late, or not JSON: not a usable gateway.
      return undefined;
    }
  }

  return {
    url: base,
    token,
    peek,
    async request(path, init) {
      let response: Response;
      try {
        response = await send(path, init);
      } catch (cause) {
        if (init?.signal?.aborted) throw cause;
        throw new CliError(
          1,
          `Cannot reach the gateway at "${base}": it does not answer: check that it runs: toolscript gateway status`,
          {
            cause,
          },
        );
      }
      if (response.ok) return response;
      throw await problem(response);
    },
    async isHealthy(ms) {
      const answer = await peek("/health", ms);
      return isObject(answer) && answer.status === "ok";
    },
  };
}

async function problem(response: Response): Promise<GatewayError> {
  const text = await response.text();
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    // Another program may listen there.
    body = undefined;
  }
  return errorOf(body) ??
    new GatewayError("internal", `Cannot use the gateway: it answered ${response.status}`);
}

/** Reads the error of a response body; undefined where it has none. */
export function errorOf(body: unknown): GatewayError | undefined {
  const error = isObject(body) ? body.error : undefined;
  if (!isObject(error) || typeof error.message !== "string") return undefined;
  const details = isObject(error.details) ? error.details : {};
  return new GatewayError(String(error.code), error.message, details);
}
