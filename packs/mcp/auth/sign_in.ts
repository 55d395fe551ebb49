/** One sign-in from its beginning to the stored credential. */

import { AuthError } from "./errors.ts";
import type { FlowDeps, SignInOptions } from "./flow/code_flow.ts";
import type { CredentialStore } from "./store/credential_store.ts";
import type { Credential } from "./store/types.ts";
import type { AuthTarget } from "./target.ts";

export interface SignInDeps extends FlowDeps {
  readonly store: CredentialStore;
}

/** Signs in by the grant of the target, and stores what comes of it. Throws `AuthError`. */
export async function signInAndStore(
  target: AuthTarget,
  options: Omit<SignInOptions, "before">,
  deps: SignInDeps,
): Promise<void> {
  const { store } = deps;
  const before = await store.read(target);
  const credential = await run(target, { ...options, before }, deps);
  options.signal.throwIfAborted();
  using lock = await store.lock(target, "lock", { signal: options.signal });
  if (!lock) throw new AuthError("another process holds the sign-in");
  await store.write(credential);
}

async function run(
  target: AuthTarget,
  options: SignInOptions,
  deps: SignInDeps,
): Promise<Credential> {
  switch (target.settings.grant) {
    case "authorization_code": {
      const { signInByCode } = await import("./flow/code_flow.ts");
      return await signInByCode(target, options, deps);
    }
    case "device": {
      const { signInByDevice } = await import("./flow/device.ts");
      return await signInByDevice(target, options, deps);
    }
    case "client_credentials": {
      const { fetchClientToken } = await import("./flow/client_credentials.ts");
      return await fetchClientToken(target, options.before, deps);
    }
    default:
      return target.settings.grant satisfies never;
  }
}
