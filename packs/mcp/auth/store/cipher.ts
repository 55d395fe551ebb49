/** Encryption of small texts: AES-256-GCM, bound to the place that the text belongs to. */

import { decodeBase64Url, encodeBase64Url } from "./base64_url.ts";

export interface Sealed {
  readonly iv: string;
  readonly data: string;
}

export const KEY_BYTES = 32;
const IV_BYTES = 12;
const NAME = "AES-GCM";

/** Encrypts a text; `place` must be the same when it is opened. */
export async function seal(text: string, key: Uint8Array, place: string): Promise<Sealed> {
  const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES));
  const data = await crypto.subtle.encrypt(
    { name: NAME, iv, additionalData: new TextEncoder().encode(place) },
    await importKey(key, "encrypt"),
    new TextEncoder().encode(text),
  );
  return { iv: encodeBase64Url(iv), data: encodeBase64Url(new Uint8Array(data)) };
}

/** Decrypts a text. Throws where the key, the place or one bit is another. */
export async function open(sealed: Sealed, key: Uint8Array, place: string): Promise<string> {
  const text = await crypto.subtle.decrypt(
    {
      name: NAME,
      iv: decodeBase64Url(sealed.iv),
      additionalData: new TextEncoder().encode(place),
    },
    await importKey(key, "decrypt"),
    decodeBase64Url(sealed.data),
  );
  return new TextDecoder().decode(text);
}

function importKey(key: Uint8Array, use: "encrypt" | "decrypt"): Promise<CryptoKey> {
  return crypto.subtle.importKey("raw", new Uint8Array(key), NAME, false, [use]);
}
