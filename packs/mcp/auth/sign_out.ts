/** End of a sign-in: revoked where the server offers it, and forgotten. */

import type { Fetch } from "../connect/bounded_fetch.ts";
import { revoke } from "./flow/revoke.ts";
import type { CredentialStore } from "./store/credential_store.ts";
import type { AuthTarget } from "./target.ts";

export interface SignOutResult {
  /** False where there was no sign-in. */
  readonly isForgotten: boolean;
  /** Error of the revocation; undefined where it worked or was not needed. */
  readonly failure: unknown;
}

/** Always forgets, also a sign-in that cannot be read. */
export async function signOut(
  target: AuthTarget,
  { store, fetch }: { readonly store: CredentialStore; readonly fetch: Fetch },
): Promise<SignOutResult> {
  const credential = await store.read(target).catch(() => undefined);
  const failure = credential?.tokens
    ? await revoke(target, credential, fetch).then(() => undefined, (error: unknown) => error)
    : undefined;
  using _lock = await store.lock(target, "lock");
  return { isForgotten: store.remove(target), failure };
}
