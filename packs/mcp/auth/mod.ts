/** Door of the sign-ins at servers. */

export { AuthError, SignInNeeded } from "./errors.ts";
export {
  type AskContext,
  createTokenKeeper,
  type ServerAuth,
  type SignInAsker,
  type SignInQuestion,
  type TokenKeeper,
} from "./keeper.ts";
export { renew, type Renewal, type RenewDeps } from "./renewal/renew.ts";
export { createCredentialStore, type CredentialStore, idOf } from "./store/credential_store.ts";
export type { Credential } from "./store/types.ts";
export { type AuthTarget, authTarget } from "./target.ts";
