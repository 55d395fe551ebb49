/** One sign-in as an encrypted text, for another machine. */

import { type BinaryLike, scrypt, type ScryptOptions } from "node:crypto";
import { promisify } from "node:util";
import { isObject } from "#base";
import { decodeBase64Url, encodeBase64Url } from "./store/base64_url.ts";
import { KEY_BYTES, open, seal } from "./store/cipher.ts";
import { idOf } from "./store/credential_store.ts";
import type { Credential } from "./store/types.ts";
import { checkLength } from "./tokens.ts";

const MARK = "toolscript-sign-in-1";
const SALT_BYTES = 16;
const HARDNESS: ScryptOptions = { N: 2 ** 16, r: 8, p: 1, maxmem: 256 * 1024 * 1024 };
const MOST_CHARACTERS = 4 * 1024 * 1024;

/** Encrypts a sign-in under a passphrase. */
export async function sealTransfer(credential: Credential, passphrase: string): Promise<string> {
  const salt = crypto.getRandomValues(new Uint8Array(SALT_BYTES));
  const key = await keyOf(passphrase, salt);
  const { iv, data } = await seal(JSON.stringify(credential), key, MARK);
  return [MARK, encodeBase64Url(salt), iv, data].join(".");
}

/** Decrypts a sign-in; undefined with another passphrase, and for any other text. Throws `AuthError` for a
 * token that is too long. */
export async function openTransfer(
  text: string,
  passphrase: string,
): Promise<Credential | undefined> {
  const credential = await decrypt(text, passphrase);
  checkLength([credential?.tokens?.access, credential?.tokens?.refresh]);
  return credential;
}

async function decrypt(text: string, passphrase: string): Promise<Credential | undefined> {
  const [mark, salt, iv, data, ...rest] = text.trim().split(".");
  const isWhole = mark === MARK && salt && iv && data && rest.length === 0;
  if (!isWhole || text.length > MOST_CHARACTERS) return undefined;
  try {
    const key = await keyOf(passphrase, decodeBase64Url(salt));
    const value: unknown = JSON.parse(await open({ iv, data }, key, MARK));
    return isCredential(value) ? { ...value, ...idOf(value) } : undefined;
  } catch {
    // Another passphrase, or a changed text.
    return undefined;
  }
}

const derive: (
  password: BinaryLike,
  salt: BinaryLike,
  length: number,
  options: ScryptOptions,
) => Promise<Uint8Array> = promisify(scrypt);

async function keyOf(passphrase: string, salt: Uint8Array): Promise<Uint8Array> {
  return new Uint8Array(await derive(passphrase.normalize("NFC"), salt, KEY_BYTES, HARDNESS));
}

function isCredential(value: unknown): value is Credential {
  return isObject(value) &&
    ["server", "url", "account"].every((name) => typeof value[name] === "string") &&
    ["string", "undefined"].includes(typeof value.client);
}
