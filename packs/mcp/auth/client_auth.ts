/** Authentication of this client at token endpoints, by a signature instead of a secret. */

import { createPrivateKey } from "node:crypto";
import { createPrivateKeyJwtAuth, type OAuthClientProvider } from "@modelcontextprotocol/client";
import type { OAuthSettings } from "../../server_config.ts";
import { AuthError } from "./errors.ts";

type AddClientAuthentication = NonNullable<OAuthClientProvider["addClientAuthentication"]>;

/** Makes the signing function; undefined without a private key. Throws `AuthError` for one that cannot
 * be used. */
export function clientAuthentication(
  { clientId = "", privateKey }: OAuthSettings,
): AddClientAuthentication | undefined {
  if (privateKey === undefined) return undefined;
  const { alg, pem } = readKey(privateKey);
  return createPrivateKeyJwtAuth({ issuer: clientId, subject: clientId, privateKey: pem, alg });
}

/** Algorithm of a key, and the key in the form that can be signed with. */
function readKey(text: string): { readonly alg: string; readonly pem: string } {
  try {
    const key = text.trimStart().startsWith("{")
      ? createPrivateKey({ key: JSON.parse(text), format: "jwk" })
      : createPrivateKey(text.replaceAll("\\n", "\n"));
    const pem = String(key.export({ type: "pkcs8", format: "pem" }));
    const curve = key.asymmetricKeyDetails?.namedCurve;
    const alg = key.asymmetricKeyType === "rsa" ? "RS256" : CURVES[curve ?? ""];
    if (alg === undefined) throw new TypeError("Unknown kind of key");
    return { alg, pem };
  } catch {
    // The error may quote the key.
    throw new AuthError("private_key is no key of RSA or of the curves P-256, P-384 and P-521");
  }
}

const CURVES: Readonly<Record<string, string>> = {
  "prime256v1": "ES256",
  "P-256": "ES256",
  "secp384r1": "ES384",
  "P-384": "ES384",
  "secp521r1": "ES512",
  "P-521": "ES512",
};
