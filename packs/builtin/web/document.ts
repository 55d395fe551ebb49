/** Loads pages. Checks every redirect, limits time and size, and refuses binary content. */

import type { NameAsker, NameLookup } from "#base";
import { PackError } from "../../errors.ts";
import { readBounded } from "../kit/read_bounded.ts";
import type { AllowedHosts } from "./allowed_hosts.ts";
import { type Destination, destinationOf, webUrl } from "./destination.ts";
import { type Reply, request } from "./request.ts";
import type { WebSettings } from "./settings.ts";

const MAX_REDIRECTS = 10;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);
const TEXT =
  /^(?:text\/.*|.*\b(?:json|xml|javascript|ecmascript|yaml|toml|ndjson|csv|graphql|sql|x-sh|x-httpd-php|x-www-form-urlencoded|octet-stream))$/;

export interface Document {
  /** URL after redirects. */
  readonly url: string;
  readonly status: number;
  /** `text/html; charset=utf-8`, or empty. */
  readonly contentType: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Time for which the page may be cached. */
  readonly keepMs: number;
}

export interface WebDeps {
  readonly fetch: typeof fetch;
  readonly names: NameLookup;
  readonly environment: Readonly<Record<string, string>>;
}

export interface LoadOptions extends NameAsker {
  readonly settings: WebSettings;
  readonly allowed: AllowedHosts;
  readonly deps: WebDeps;
  readonly accept: string;
  /** Throws if the host's `robots.txt` forbids the request. */
  readonly permit?: (to: Destination, asker: NameAsker) => Promise<void>;
}

/** Loads a page. Throws `PackError`. */
export async function loadDocument(address: string, options: LoadOptions): Promise<Document> {
  const { settings: { timeoutMs }, signal } = options;
  const deadline = AbortSignal.timeout(timeoutMs);
  const both = AbortSignal.any([signal, deadline]);
  try {
    return await follow(webUrl(address), { ...options, signal: both });
  } catch (error) {
    if (error instanceof PackError || signal.aborted) throw error;
    const quoted = JSON.stringify(address.slice(0, 300));
    if (deadline.aborted) {
      const limit = `it was not there within ${timeoutMs / 1000} s`;
      const message = `Cannot fetch ${quoted}: ${limit}: try again, or set packs.web.timeout`;
      throw new PackError("timeout", message, { retryable: true });
    }
    const { phrase, retryable } = networkPhrase(error);
    throw new PackError("tool_error", `Cannot fetch ${quoted}: ${phrase}`, {
      retryable,
      cause: error,
    });
  }
}

async function follow(first: URL, options: LoadOptions): Promise<Document> {
  let url = first;
  for (let hops = 0; hops <= MAX_REDIRECTS; hops++) {
    const reply = await askOnce(url, options);
    const location = reply.headers.location;
    if (!REDIRECTS.has(reply.status) || location === undefined) {
      try {
        return await take(url, reply, options.settings);
      } finally {
        reply.close();
      }
    }
    reply.close();
    const next = URL.parse(location, url);
    if (!next) throw failed(url, "it redirects to an invalid URL");
    url = webUrl(next.href);
  }
  throw failed(first, `it redirects more than ${MAX_REDIRECTS} times`);
}

async function askOnce(url: URL, options: LoadOptions): Promise<Reply> {
  const { settings, allowed, deps, accept, signal, run, permit } = options;
  const proxy = proxyFor(url, deps.environment);
  const { names } = deps;
  const to = await destinationOf(url, {
    allowed,
    names,
    proxied: proxy !== undefined,
    signal,
    run,
  });
  await permit?.(to, { signal, run });
  const headers = { accept, "user-agent": settings.userAgent };
  return await request(to, { headers, proxy, fetch: deps.fetch, signal });
}

async function take(url: URL, reply: Reply, { maxBytes, cacheTtlMs }: WebSettings) {
  const { status, headers } = reply;
  if (status >= 400) throw statusError(url, reply);
  const contentType = headers["content-type"] ?? "";
  const essence = contentType.split(";", 1)[0]?.trim().toLowerCase() ?? "";
  if (essence !== "" && !TEXT.test(essence)) {
    throw failed(url, `it is ${JSON.stringify(essence.slice(0, 100))}, and only text can be read`);
  }
  const mb = maxBytes / 2 ** 20;
  const large = `it has more than ${mb} MB: packs.web.max_mb is the limit`;
  if (headers["content-encoding"] === undefined && Number(headers["content-length"]) > maxBytes) {
    throw new PackError("too_large", `Cannot fetch "${url.href}": ${large}`);
  }
  const bytes = await readBounded(reply.body, maxBytes);
  if (!bytes) throw new PackError("too_large", `Cannot fetch "${url.href}": ${large}`);
  const keepMs = Math.min(cacheTtlMs, keepFor(headers["cache-control"]));
  return { url: url.href, status, contentType, bytes, keepMs };
}

/** Time in milliseconds that `Cache-Control` allows a private cache (RFC 9111 §5.2.2). */
function keepFor(control = ""): number {
  if (/\bno-(?:store|cache)\b/i.test(control)) return 0;
  const seconds = /\bmax-age\s*=\s*"?(?<seconds>\d+)/i.exec(control)?.groups?.seconds;
  return seconds === undefined ? Infinity : Number(seconds) * 1000;
}

function statusError(url: URL, { status, headers }: Reply): PackError {
  const wait = headers["retry-after"];
  const retryable = status === 429 || status >= 500;
  const later = retryable && wait ? `: try again after ${wait.slice(0, 40)}` : "";
  const seconds = /^\d+$/.test(wait ?? "") ? " s" : "";
  return new PackError(
    "tool_error",
    `Cannot fetch "${url.href}": the server answered ${status}${later}${later && seconds}`,
    { retryable, details: { status, ...(wait ? { retry_after: wait.slice(0, 40) } : {}) } },
  );
}

function failed(url: URL, why: string): PackError {
  return new PackError("tool_error", `Cannot fetch "${url.href}": ${why}`);
}

/** URL of the proxy for a request, or undefined for a direct one. */
function proxyFor(
  url: URL,
  environment: Readonly<Record<string, string>>,
): string | undefined {
  const scheme = url.protocol.slice(0, -1);
  const read = (name: string) => environment[name.toLowerCase()] ?? environment[name];
  // HTTP_PROXY in capitals is unsafe only in CGI programs, where a request can set it.
  const proxy = read(`${scheme.toUpperCase()}_PROXY`) || read("ALL_PROXY");
  if (!proxy || bypasses(url, read("NO_PROXY") ?? "")) return undefined;
  return /^[a-z0-9]+:\/\//i.test(proxy) ? proxy : `http://${proxy}`;
}

function bypasses({ hostname, host }: URL, list: string): boolean {
  return list.split(/[\s,]+/).filter(Boolean).some((entry) => {
    if (entry === "*") return true;
    const name = entry.toLowerCase().replace(/^\*?\./, "");
    return [hostname, host].some((one) => one === name || one.endsWith(`.${name}`));
  });
}

interface NetworkFailure {
  readonly phrase: string;
  readonly retryable: boolean;
}

const PHRASES: Readonly<Record<string, NetworkFailure>> = {
  ENOTFOUND: { phrase: "there is no such host", retryable: false },
  EAI_AGAIN: { phrase: "its name cannot be looked up now", retryable: true },
  ECONNREFUSED: { phrase: "nothing answers at that port", retryable: true },
  ECONNRESET: { phrase: "the server ended the connection", retryable: true },
  EPIPE: { phrase: "the server ended the connection", retryable: true },
  EHOSTUNREACH: { phrase: "the host cannot be reached", retryable: true },
  ENETUNREACH: { phrase: "the network cannot be reached", retryable: true },
  ETIMEDOUT: { phrase: "the host does not answer", retryable: true },
  Z_DATA_ERROR: { phrase: "its response cannot be unpacked", retryable: false },
  TINY_PIECES: { phrase: "its response comes in too many tiny pieces", retryable: false },
  Z_BUF_ERROR: { phrase: "its response ends too early", retryable: true },
};

/** Phrase for an error of a socket, a certificate or `fetch`. */
function networkPhrase(error: unknown): NetworkFailure {
  const code = codeOf(error);
  const failure = Object.hasOwn(PHRASES, code) ? PHRASES[code] : undefined;
  if (failure) return failure;
  if (/CERT|SELF_SIGNED|UNABLE_TO|ERR_TLS/.test(code)) {
    return { phrase: "its certificate is not valid for that name", retryable: false };
  }
  if (/SSL/.test(code)) return { phrase: "no secure connection can be made", retryable: false };
  return { phrase: "the connection failed", retryable: true };
}

function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return "";
  if ("code" in error && typeof error.code === "string") return error.code;
  return codeOf(error.cause);
}
