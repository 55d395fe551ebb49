/** Door of the sign-ins at servers. */

export { AuthError, SignInNeeded } from "./errors.ts";
export {
  type AskContext,
  createTokenKeeper,
  type ServerAuth,
  type SignInAsker,
  type SignInQuestion,
  type SignInRefusal,
  type TokenKeeper,
} from "./keeper.ts";
export { issuerName } from "./discovery.ts";
export { receiverText } from "./receiver.ts";
export { createRenewer, serveRenewal } from "./renewal/renewer.ts";
export { renew } from "./renewal/renew.ts";
export { signInAndStore } from "./sign_in.ts";
export { signOut } from "./sign_out.ts";
export { openTransfer, sealTransfer } from "./transfer.ts";
export { createCredentialStore, type CredentialStore, idOf } from "./store/credential_store.ts";
export type { Credential } from "./store/types.ts";
export { type AuthTarget, authTarget } from "./target.ts";
export { expiresAt, type SignInState, stateOf } from "./tokens.ts";
