/** Key of the credentials: in the system's keychain where there is one, else in a file. */

import { join } from "node:path";
import { attempt } from "#base";
import { lockFile, readOwn, writeWhole } from "#files";
import { decodeBase64Url, encodeBase64Url } from "./base64_url.ts";
import { KEY_BYTES } from "./cipher.ts";
import type { Keychain } from "./keychain.ts";

export interface KeyPlaces {
  readonly home: string;
  /** Folder of the credentials; it exists. */
  readonly folder: string;
  /** Opens the keychain; undefined without one. */
  readonly keychain: () => Promise<Keychain | undefined>;
}

/** Present where the key lies in the keychain, so that no second key is made while that is locked. */
const MARK = "keychain";
const FILE = "key";
const MODE = 0o600;

/** Reads the key; undefined where none was made, or where its file is damaged. Throws where it lies in
 * a keychain that does not answer. */
export async function readKey({ folder, keychain }: KeyPlaces): Promise<Uint8Array | undefined> {
  if (isMarked(folder)) {
    const text = await (await keychain())?.read();
    if (text !== undefined) return keyOf(text);
    throw new Error(
      "Cannot read the sign-ins: their key is in the keychain of the system, which has none now: " +
        `unlock it, or remove "${folder}" and sign in again`,
    );
  }
  const own = readOwn(join(folder, FILE));
  if (own.kind === "refused") throw new Error(`Cannot read the sign-ins: ${own.why}: ${own.fix}`);
  return own.kind === "text" ? keyOf(own.text) : undefined;
}

/** Reads the key, and makes a missing one. */
export async function takeKey(places: KeyPlaces): Promise<Uint8Array> {
  const { home, folder, keychain } = places;
  const first = await readKey(places);
  if (first) return first;
  using _lock = await lockFile(join(folder, "key.lock"));
  const other = await readKey(places);
  if (other) return other;
  const key = crypto.getRandomValues(new Uint8Array(KEY_BYTES));
  const text = encodeBase64Url(key);
  const isKept = await attempt(async () => {
    const chain = await keychain();
    if (!chain) return false;
    await chain.write(text);
    return await chain.read() === text;
  }, false); // A keychain that does not work is as good as none.
  const [name, content] = isKept ? [MARK, ""] : [FILE, `${text}\n`];
  writeWhole(join(folder, name), content, { root: home, mode: MODE });
  return key;
}

function isMarked(folder: string): boolean {
  return readOwn(join(folder, MARK)).kind === "text";
}

function keyOf(text: string): Uint8Array | undefined {
  const key = decodeBase64Url(text.trim());
  return key.length === KEY_BYTES ? key : undefined;
}
