/** Sign-in of a person in a browser: authorization code with PKCE. */

import { auth, validateAuthorizationResponseIssuer } from "@modelcontextprotocol/client";
import { abortable, attempt } from "#base";
import type { Fetch } from "../../connect/plain_fetch.ts";
import { checkAddress, createAuthFetch } from "../auth_fetch.ts";
import { asAuthError } from "../auth_failure.ts";
import { checkIssuer, discover } from "../discovery.ts";
import { AuthError } from "../errors.ts";
import { receiverOf } from "../receiver.ts";
import { idOf } from "../store/credential_store.ts";
import type { Credential } from "../store/types.ts";
import type { AuthTarget } from "../target.ts";
import { tokensOf } from "../tokens.ts";
import { type CallbackListener, type CallbackPage, listenForCallback } from "./callback.ts";
import { createFlow, type Flow } from "./provider.ts";
import { scopeFor } from "./scope.ts";

export interface FlowDeps {
  readonly fetch: Fetch;
  readonly now: () => number;
}

export interface Prompt {
  /** Address that a person opens. */
  readonly url: string;
  /** Code that a person types there. */
  readonly code?: string;
  /** Host of the authorization server where it is another than before. */
  readonly otherIssuer?: string;
  /** Host that the outcome goes to where it is another than that of the address. */
  readonly receiver?: string;
}

export interface SignInOptions {
  /** Credential from before. */
  readonly before: Credential | undefined;
  /** Shows the address. */
  readonly show: (prompt: Prompt) => Promise<void> | void;
  /** Addresses that a person pastes, instead of a listener. */
  readonly pasted?: AsyncIterable<string>;
  /** Called for an answer that is dropped. */
  readonly onDropped?: () => Promise<void> | void;
  readonly signal: AbortSignal;
}

/** Signs a person in; the caller stores the credential. Throws `AuthError`, and the signal's reason. */
export async function signInByCode(
  target: AuthTarget,
  { before, show, pasted, onDropped, signal }: SignInOptions,
  { fetch, now }: FlowDeps,
): Promise<Credential> {
  await using listener = openListener(target, before);
  const authFetch = createAuthFetch(fetch, { signal, target });
  const { resourceMetadataUrl } = before ?? {};
  const discovery = await discover(target, { fetch: authFetch, resourceMetadataUrl });
  const otherIssuer = checkIssuer(target, before, discovery);
  const flow = createFlow({
    target,
    discovery,
    registration: before?.registration,
    redirectUrl: listener.url,
  });
  const drive = (code?: { readonly authorizationCode: string; readonly iss?: string }) =>
    auth(flow.provider, {
      serverUrl: target.url,
      fetchFn: authFetch,
      scope: scopeFor(target, before),
      forceReauthorization: true,
      ...code,
    }).catch((error) => Promise.reject(asAuthError(error)));
  await drive();
  const address = flow.authorizationUrl();
  await checkAddress(address, { target, signal });
  const url = address.href;
  const answer = firstAnswer(flow, { listener, pasted, drive, onDropped });
  await show({ url, otherIssuer, receiver: receiverOf(url, discovery, target.url) });
  await abortable(answer, signal);
  const tokens = tokensOf(flow.tokens(), { now: now() });
  const { wanted: _, ...kept } = before ?? {};
  return { ...kept, ...idOf(target), discovery, registration: flow.registration(), tokens };
}

/** Listens where an earlier client was registered for, where that port is free. */
function openListener(
  { settings: { redirectPort } }: AuthTarget,
  before: Credential | undefined,
): CallbackListener {
  if (redirectPort !== undefined) {
    return attempt(() => listenForCallback(redirectPort)) ?? taken(redirectPort);
  }
  const { redirectUrl } = before?.registration ?? {};
  const port = Number(redirectUrl === undefined ? 0 : new URL(redirectUrl).port);
  // Another program has the port: the client is registered again.
  return attempt(() => listenForCallback(port)) ?? listenForCallback();
}

function taken(port: number): never {
  throw new AuthError(`port ${port} (oauth.redirect_port) is in use`);
}

interface AnswerSources {
  readonly listener: CallbackListener;
  readonly pasted: AsyncIterable<string> | undefined;
  readonly drive: (code: {
    readonly authorizationCode: string;
    readonly iss?: string;
  }) => Promise<unknown>;
  readonly onDropped: SignInOptions["onDropped"];
}

/** Waits for the answer with the right state and issuer, and redeems its code. Others are dropped. */
function firstAnswer(
  flow: Flow,
  { listener, pasted, drive, onDropped }: AnswerSources,
): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  promise.catch(() => {}); // it may fail before the address has been shown
  let isTaken = false;

  async function take(parameters: URLSearchParams): Promise<CallbackPage> {
    if (isTaken || !isAnswer(parameters, flow)) {
      if (!isTaken) await onDropped?.();
      return "wrong";
    }
    isTaken = true;
    try {
      const code = parameters.get("code");
      if (code === null) throw refusal(parameters);
      await drive({ authorizationCode: code, iss: parameters.get("iss") ?? undefined });
      resolve();
      return "done";
    } catch (error) {
      reject(error);
      return "failed";
    }
  }

  listener.take(take);
  if (pasted) {
    readPasted(pasted, { take, redirectUrl: listener.url }).then(
      () => reject(new AuthError("no address was pasted")),
      reject,
    );
  }
  return promise;
}

async function readPasted(
  lines: AsyncIterable<string>,
  { take, redirectUrl }: {
    readonly take: (parameters: URLSearchParams) => Promise<CallbackPage>;
    readonly redirectUrl: string;
  },
): Promise<void> {
  for await (const line of lines) {
    if (line.trim() === "") continue;
    const url = URL.parse(line.trim());
    const isOurs = url && url.origin + url.pathname === redirectUrl;
    if (await take(isOurs ? url.searchParams : new URLSearchParams()) !== "wrong") return;
  }
}

function isAnswer(parameters: URLSearchParams, { state, provider }: Flow): boolean {
  if (parameters.get("state") !== state) return false;
  const metadata = Object(provider.discoveryState?.()).authorizationServerMetadata;
  return attempt(() => {
    validateAuthorizationResponseIssuer({
      iss: parameters.get("iss") ?? undefined,
      expectedIssuer: metadata?.issuer,
      issParameterSupported: metadata?.authorization_response_iss_parameter_supported === true,
    });
    return true;
  }, false); // Another issuer than the one that was asked.
}

function refusal(parameters: URLSearchParams): AuthError {
  const code = parameters.get("error") ?? "";
  const isCode = /^[a-z_]{1,64}$/.test(code);
  return new AuthError(`the authorization server refuses it${isCode ? ` (${code})` : ""}`);
}
