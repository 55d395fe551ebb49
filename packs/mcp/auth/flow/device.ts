/** Sign-in on another device (RFC 8628): a person types a short code there. */

import * as oauth from "oauth4webapi";
import { registerClient } from "@modelcontextprotocol/client";
import { isObject, sleep } from "#base";
import { checkAddress, createAuthFetch } from "../auth_fetch.ts";
import { asAuthError } from "../auth_failure.ts";
import { checkIssuer, discover, issuerOf, resourceOf } from "../discovery.ts";
import { AuthError } from "../errors.ts";
import { receiverOf } from "../receiver.ts";
import { idOf } from "../store/credential_store.ts";
import type { Credential, Registration } from "../store/types.ts";
import type { AuthTarget } from "../target.ts";
import { tokensOf } from "../tokens.ts";
import type { FlowDeps, SignInOptions } from "./code_flow.ts";
import { createFlow } from "./provider.ts";
import { scopeFor } from "./scope.ts";

/** Code that a person types: at most 20 characters and one blank, so that it cannot be mistaken for
 * words of Toolscript. */
const CODE = /^(?!.* .* )[A-Za-z0-9](?:[A-Za-z0-9 _.-]{0,18}[A-Za-z0-9])?$/;
const FIRST_INTERVAL_S = 5;
const SLOW_DOWN_S = 5;
const SHORTEST_INTERVAL_S = 1;
const LONGEST_INTERVAL_S = 60;

/** Signs a person in by a code; the caller stores the credential. Throws `AuthError`. */
export async function signInByDevice(
  target: AuthTarget,
  { before, show, signal }: Omit<SignInOptions, "pasted" | "onDropped">,
  { fetch, now }: FlowDeps,
): Promise<Credential> {
  const authFetch = createAuthFetch(fetch, { signal, target });
  const { resourceMetadataUrl } = before ?? {};
  const discovery = await discover(target, { fetch: authFetch, resourceMetadataUrl });
  const otherIssuer = checkIssuer(target, before, discovery);
  const flow = createFlow({ target, discovery, registration: before?.registration });
  const server = serverOf({ ...discovery.authorizationServerMetadata }, issuerOf(discovery));
  try {
    const registration = await registered();
    const client = { client_id: registration.information.client_id };
    const authentication = authenticationOf(registration);
    const options = { [oauth.customFetch]: authFetch, [oauth.allowInsecureRequests]: true, signal };
    const scope = scopeFor(target, before);
    const parameters = new URLSearchParams({
      resource: resourceOf(discovery, target.url),
      ...(scope === undefined ? {} : { scope }),
    });
    const request = () =>
      oauth.deviceAuthorizationRequest(server, client, authentication, parameters, options);
    const device = await oauth.processDeviceAuthorizationResponse(server, client, await request());
    const { url, code } = await promptOf(device, target);
    await show({ url, code, otherIssuer, receiver: receiverOf(url, discovery, target.url) });
    const poll = async () => {
      const { device_code } = device;
      const answer = await oauth.deviceCodeGrantRequest(
        server,
        client,
        authentication,
        device_code,
        { ...options, additionalParameters: { resource: resourceOf(discovery, target.url) } },
      );
      return await oauth.processDeviceCodeResponse(server, client, answer);
    };
    const answer = await polled(poll, device, signal);
    const tokens = tokensOf(answer, { now: now() });
    const { wanted: _, ...kept } = before ?? {};
    return { ...kept, ...idOf(target), discovery, registration, tokens };
  } catch (error) {
    signal.throwIfAborted();
    throw describe(error);
  }

  /** The configured client, an earlier one, or one that is registered now. */
  async function registered(): Promise<Registration> {
    const issuer = issuerOf(discovery);
    if (await flow.provider.clientInformation({ issuer })) return flow.registration();
    const { clientMetadata } = flow.provider;
    const information = await registerClient(discovery.authorizationServerUrl, {
      metadata: discovery.authorizationServerMetadata,
      clientMetadata: {
        ...clientMetadata,
        grant_types: ["urn:ietf:params:oauth:grant-type:device_code", "refresh_token"],
      },
      scope: scopeFor(target, before),
      fetchFn: authFetch,
    });
    await flow.provider.saveClientInformation?.({ ...information, issuer }, { issuer });
    return flow.registration();
  }
}

function serverOf(
  metadata: Readonly<Record<string, unknown>>,
  issuer: string,
): oauth.AuthorizationServer {
  if (typeof metadata.device_authorization_endpoint === "string") return { ...metadata, issuer };
  throw new AuthError("the authorization server has no sign-in by a code: leave out --device");
}

function authenticationOf({ information }: Registration): oauth.ClientAuth {
  const { client_secret: secret } = information;
  return secret === undefined ? oauth.None() : oauth.ClientSecretPost(secret);
}

async function promptOf(device: oauth.DeviceAuthorizationResponse, target: AuthTarget) {
  const url = URL.parse(device.verification_uri_complete ?? device.verification_uri);
  await checkAddress(url, { target });
  const code = device.user_code;
  if (!CODE.test(code)) {
    throw new AuthError("its authorization server has a code that cannot be shown");
  }
  return { url: url?.href ?? "", code };
}

type Answer = oauth.TokenEndpointResponse;

/** Asks until the person has answered, as slowly as the server wants. */
async function polled(
  poll: () => Promise<Answer>,
  { interval = FIRST_INTERVAL_S, expires_in }: oauth.DeviceAuthorizationResponse,
  signal: AbortSignal,
): Promise<Answer> {
  const end = performance.now() + expires_in * 1000;
  for (let seconds = interval; performance.now() < end;) {
    const wait = Math.min(Math.max(seconds, SHORTEST_INTERVAL_S), LONGEST_INTERVAL_S);
    await sleep(wait * 1000, signal);
    try {
      return await poll();
    } catch (error) {
      const code = codeOf(error);
      if (code === "slow_down") seconds += SLOW_DOWN_S;
      else if (code !== "authorization_pending") throw error;
    }
  }
  throw new AuthError("the code was not used in time");
}

function describe(error: unknown): AuthError {
  const code = codeOf(error);
  if (code === undefined || !/^[a-z_]{1,64}$/.test(code)) return asAuthError(error);
  return new AuthError(`the authorization server refuses it (${code})`);
}

function codeOf(error: unknown): string | undefined {
  return isObject(error) && typeof error.error === "string" ? error.error : undefined;
}
