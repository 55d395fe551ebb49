/** End of a sign-in: revoked where the server offers it, and forgotten. */

import type { Fetch } from "../connect/plain_fetch.ts";
import { AuthError } from "./errors.ts";
import { revoke } from "./flow/revoke.ts";
import { LOCK_MS } from "./renewal/renew.ts";
import type { CredentialStore } from "./store/credential_store.ts";
import type { AuthTarget } from "./target.ts";

export interface SignOutResult {
  /** False where there was no sign-in. */
  readonly isForgotten: boolean;
  /** Error of the revocation; undefined where it worked or was not needed. */
  readonly failure: unknown;
}

/** Always forgets, also a sign-in that cannot be read. A renewal that runs is waited for: its tokens are
 * the ones to revoke. */
export async function signOut(
  target: AuthTarget,
  { store, fetch }: { readonly store: CredentialStore; readonly fetch: Fetch },
): Promise<SignOutResult> {
  using lock = await store.lock(target, "lock", { timeoutMs: LOCK_MS });
  const failure = lock
    ? await revokeStored(target, { store, fetch }).catch((error: unknown) => error)
    : new AuthError("another process renews the sign-in and does not end");
  return { isForgotten: store.remove(target), failure };
}

async function revokeStored(
  target: AuthTarget,
  { store, fetch }: { readonly store: CredentialStore; readonly fetch: Fetch },
): Promise<void> {
  const credential = await store.read(target).catch(() => undefined);
  if (credential?.tokens) await revoke(target, credential, fetch);
}
