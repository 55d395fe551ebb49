/** A `fetch` for authorization servers and their metadata: bounded, never unencrypted over a
 * network, and with responses reduced to what is read of them. */

import {
  ByteBuffer,
  createNameLookup,
  isNestedOver,
  isObject,
  isOwnHost,
  isThisMachine,
  MOST_LEVELS,
} from "#base";
import { createPlainFetch, type Fetch } from "../connect/plain_fetch.ts";
import { createTlsFetch } from "../connect/tls_fetch.ts";
import { trimDocument } from "./document.ts";
import { AuthError } from "./errors.ts";
import type { AuthTarget } from "./target.ts";
import { checkLength } from "./tokens.ts";

/** Few at a time: a server chooses the names. */
const names = createNameLookup();
const MOST_BYTES = 1024 * 1024;
const TIMEOUT_MS = 10_000;
/** Codes of the standards; other words may repeat a secret. */
const ERROR_CODE = /^[a-z_]{1,64}$/;
const TOKEN_FIELDS = ["access_token", "token_type", "expires_in", "refresh_token", "scope"];

const MOST_LIFE_S = 10 * 365 * 24 * 60 * 60;
/** RFC 6749 §3.3, bounded. */
const SCOPE = /^[\x21\x23-\x5b\x5d-\x7e]{1,200}$/;
const MOST_SCOPES = 50;

/** A server, from which addresses of its authorization server come. */
type Source = Pick<AuthTarget, "url" | "settings" | "tls">;

export interface AuthFetchOptions {
  readonly signal?: AbortSignal;
  /** Server whose certificates are used, and which decides if addresses of this machine may be
   * reached; without it, they may. */
  readonly target?: Source;
  /** Time limit of one request; 10 s. */
  readonly timeoutMs?: number;
}

/** Wraps `fetch`: at most 1 MB within 10 s, uncompressed, from https or this machine. Redirects are
 * left to the caller. An answer to a request for a token is read here: HTML, an error with status 200
 * and other rubbish become errors of OAuth, without the text of the server. */
export function createAuthFetch(
  fetch: Fetch,
  { signal, target, timeoutMs = TIMEOUT_MS }: AuthFetchOptions = {},
): Fetch {
  const send = createPlainFetch(target?.tls ? createTlsFetch(fetch, target.tls) : fetch);
  return async (input, init = {}) => {
    const url = new URL(input instanceof Request ? input.url : input);
    const limit = AbortSignal.timeout(timeoutMs);
    const signals = [limit, signal, init.signal].filter((each) => each instanceof AbortSignal);
    const ends = AbortSignal.any(signals);
    await checkAddress(url, { target, signal: ends });
    const response = await send(input, { ...init, redirect: "manual", signal: ends });
    const text = await readText(response);
    return init.method === "POST" ? readAnswer(response, text, init) : readDocument(response, text);
  };
}

/** Throws `AuthError` for an address whose traffic could be read on the network, and for one of this
 * machine, by whatever name, that a server elsewhere names: its requests would reach what only this
 * machine should. Hosts that a person has written are reached; a name of theirs counts as elsewhere,
 * since its owner may lead it here for a moment. Rejects with the signal's reason. */
export async function checkAddress(
  url: URL | null,
  { target, signal = AbortSignal.timeout(TIMEOUT_MS) }: {
    readonly target?: Pick<AuthTarget, "url" | "settings">;
    readonly signal?: AbortSignal;
  } = {},
): Promise<void> {
  if (!url || !isPrivate(url)) {
    throw new AuthError("an address of the authorization server is not https");
  }
  if (!target) return;
  const { url: own, settings: { metadataUrl = own } } = target;
  const written = [own, metadataUrl].map((each) => new URL(each).hostname);
  if (written.some((host) => host === url.hostname || isOwnHost(host))) return;
  const isHere = await isThisMachine(
    url.hostname,
    (name) => names.addresses(name, { signal, run: undefined }),
  );
  signal.throwIfAborted();
  if (!isHere) return;
  throw new AuthError(
    "an address of the authorization server is on this machine, the server is not: " +
      "name its metadata in oauth.metadata_url to allow it",
  );
}

function isPrivate(url: URL): boolean {
  if (url.username !== "" || url.password !== "") return false;
  return url.protocol === "https:" || (url.protocol === "http:" && isLoopback(url));
}

function isLoopback({ hostname }: URL): boolean {
  return /^(localhost|.*\.localhost|127(\.\d+){3}|\[::1\])\.?$/.test(hostname);
}

async function readText(response: Response): Promise<string> {
  const bytes = new ByteBuffer();
  for await (const chunk of response.body ?? []) {
    if (bytes.size + chunk.length > MOST_BYTES) {
      throw new AuthError("the authorization server answers with more than 1 MB");
    }
    bytes.add(chunk);
  }
  const text = new TextDecoder().decode(bytes.bytes());
  if (isNestedOver(text, MOST_LEVELS)) throw new AuthError("its answer is nested too deep");
  return text;
}

/** Reduces metadata to their plain fields, and to scopes that a sign-in may ask for. Any other
 * response loses its body. */
function readDocument({ ok, status, headers }: Response, text: string): Response {
  const document = ok ? trimDocument(parse(text)) : undefined;
  const scopes = document?.scopes_supported;
  if (document && Array.isArray(scopes)) document.scopes_supported = takeScopes(scopes);
  return new Response(document && JSON.stringify(document), { status, headers });
}

/** Reduces a registration to its plain fields, and an error to its code. Throws `AuthError` for a
 * token that is too long. */
function readAnswer(response: Response, text: string, { body }: RequestInit): Response {
  const { status, headers } = response;
  if (status >= 300 && status < 400) return new Response(null, { status, headers });
  const json = parse(text);
  const code = isObject(json) && typeof json.error === "string" ? json.error : undefined;
  if (!response.ok || code !== undefined) {
    const isCode = code !== undefined && ERROR_CODE.test(code);
    const error = isCode ? code : "server_error";
    return Response.json({ error }, { status: response.ok ? 400 : status });
  }
  const isTokens = body instanceof URLSearchParams && body.has("grant_type");
  if (!isTokens) return readDocument(response, text);
  if (!isObject(json) || typeof json.access_token !== "string" || json.access_token === "") {
    return broken();
  }
  checkLength([json.access_token, json.refresh_token]);
  return Response.json(tokenAnswer(json));
}

/** Fields of an answer with tokens, in the types of the standard; a life of over ten years is left out,
 * as are words that are no scope. */
function tokenAnswer(json: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const fields = Object.fromEntries(
    TOKEN_FIELDS.filter((name) => typeof json[name] === "string").map((name) => [name, json[name]]),
  );
  const life = Number(json.expires_in);
  delete fields.expires_in;
  if (life > 0 && life <= MOST_LIFE_S) fields.expires_in = life;
  if (typeof fields.scope === "string") {
    fields.scope = takeScopes(fields.scope.split(" ")).join(" ");
  }
  return { ...fields, token_type: fields.token_type ?? "Bearer" };
}

/** The first of the words that are scopes, each once, and the one for a refresh token wherever it
 * stands. */
function takeScopes(words: readonly string[]): readonly string[] {
  const scopes = [...new Set(words)].filter((word) => SCOPE.test(word));
  return scopes.filter((scope, at) => at < MOST_SCOPES || scope === "offline_access");
}

function broken(): Response {
  return Response.json({ error: "server_error" }, { status: 502 });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // HTML, or nothing.
    return undefined;
  }
}
