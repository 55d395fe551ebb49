/** HTTP client of one gateway. */

import { attempt, isObject } from "#base";
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
  /** Sends a value as JSON; throws as `request` does. */
  post(path: string, body: unknown, init?: RequestInit): Promise<Response>;
  /** Calls a tool of the pack `ot`; resolves with its result. */
  callOt(tool: string, args?: object): Promise<unknown>;
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
    const init = { signal: AbortSignal.timeout(ms), redirect: "error" } as const;
    // No response, too late, or not JSON: not a usable gateway.
    return await attempt(async () => await (await fetch(`${base}${path}`, init)).json());
  }

  async function request(path: string, init?: RequestInit): Promise<Response> {
    const response = await send(path, init).catch((cause) => {
      if (init?.signal?.aborted) throw cause;
      const way = "it does not answer: check that it runs: toolscript gateway status";
      throw new CliError(1, `Cannot reach the gateway at "${base}": ${way}`, { cause });
    });
    if (response.ok) return response;
    throw await problem(response);
  }

  function post(path: string, body: unknown, init: RequestInit = {}): Promise<Response> {
    const headers = { "content-type": "application/json", ...init.headers };
    return request(path, { ...init, method: "POST", headers, body: JSON.stringify(body) });
  }

  return {
    url: base,
    token,
    peek,
    request,
    post,
    async callOt(tool, args = {}) {
      const answer: unknown = await (await post(`/tools/ot__${tool}`, args)).json();
      return isObject(answer) ? answer.result : undefined;
    },
    async isHealthy(ms) {
      const answer = await peek("/health", ms);
      return isObject(answer) && answer.status === "ok";
    },
  };
}

async function problem(response: Response): Promise<GatewayError> {
  // Another program may listen there.
  return errorOf(await attempt(() => response.json())) ??
    new GatewayError("internal", `Cannot use the gateway: it answered ${response.status}`);
}

/** Reads the error of a response body; undefined where it has none. */
export function errorOf(body: unknown): GatewayError | undefined {
  const error = isObject(body) ? body.error : undefined;
  if (!isObject(error) || typeof error.message !== "string") return undefined;
  const details = isObject(error.details) ? error.details : {};
  return new GatewayError(String(error.code), error.message, details);
}

/** One line of the stream, not validated yet. */
export interface StreamedEvent {
  readonly type: string;
  readonly [key: string]: unknown;
}
