/** Credentials on disk, encrypted: one file and one lock for each. */

import { createHash } from "node:crypto";
import { join } from "node:path";
import { attempt, isObject, type Log } from "#base";
import { lockFile, openStateFolder, readOwn, writeWhole } from "#files";
import { open, seal } from "./cipher.ts";
import { type KeyPlaces, readKey, takeKey } from "./key.ts";
import { openKeychain } from "./keychain.ts";
import type { Credential, CredentialId } from "./types.ts";

export interface CredentialStoreDeps {
  /** Folder of `.onetool/`. */
  readonly home: string;
  readonly log: Log;
  /** The keychain of the system by default. */
  readonly keychain?: KeyPlaces["keychain"];
}

export interface LockWait {
  readonly signal?: AbortSignal;
  readonly timeoutMs?: number;
}

export interface CredentialStore {
  /** Reads a credential; undefined where it is missing or its file is damaged. Throws where the key
   * cannot be read. */
  read(id: CredentialId): Promise<Credential | undefined>;
  /** Writes a credential, whole or not at all. Throws where it cannot be written. */
  write(credential: Credential): Promise<void>;
  /** Forgets a credential; false without one. */
  remove(id: CredentialId): boolean;
  /** Text that changes with the credential; undefined without one. */
  version(id: CredentialId): string | undefined;
  /** Takes a lock of a credential across all processes; it is freed when the process that holds it
   * ends. Undefined where others held it all the time. */
  lock(
    id: CredentialId,
    kind: "turn" | "lock",
    wait?: LockWait,
  ): Promise<Disposable | undefined>;
}

const VERSION = 1;
const MODE = 0o600;

/** Makes the store of a home folder; nothing is made on disk before the first write. */
export function createCredentialStore(
  { home, log, keychain = () => openKeychain(home) }: CredentialStoreDeps,
): CredentialStore {
  const folder = join(home, ".onetool", "credentials");
  const places: KeyPlaces = { home, folder, keychain };
  const fileOf = (id: CredentialId) => join(folder, `${nameOf(id)}.json`);
  let key: Promise<Uint8Array | undefined> | undefined;

  /** Reads the key once; again while it is missing. */
  async function currentKey(): Promise<Uint8Array | undefined> {
    const current = await (key ??= readKey(places)).catch((error) => {
      key = undefined;
      throw error;
    });
    if (!current) key = undefined;
    return current;
  }

  return {
    async read(id) {
      const own = readOwn(fileOf(id));
      if (own.kind === "missing") return undefined;
      if (own.kind === "refused") {
        throw new Error(`Cannot read the sign-in of "${id.server}": ${own.why}: ${own.fix}`);
      }
      const current = await currentKey();
      const credential = current && await decode(own.text, current, id);
      if (!credential) {
        log("warning", "A sign-in cannot be read: its file is damaged", { server: id.server });
      }
      return credential;
    },
    async write(credential) {
      openStateFolder(folder, { root: home });
      const current = await currentKey() ?? await takeKey(places);
      key = Promise.resolve(current);
      const sealed = await seal(JSON.stringify(credential), current, nameOf(credential));
      const text = `${JSON.stringify({ version: VERSION, ...sealed })}\n`;
      writeWhole(fileOf(credential), text, { root: home, mode: MODE });
    },
    remove(id) {
      try {
        Deno.removeSync(fileOf(id));
        return true;
      } catch (error) {
        if (error instanceof Deno.errors.NotFound) return false;
        throw error;
      }
    },
    version(id) {
      // Without a credential there is no file.
      const info = attempt(() => Deno.statSync(fileOf(id)));
      return info && `${info.ino} ${info.mtime?.getTime()} ${info.size}`;
    },
    lock(id, kind, wait = {}) {
      openStateFolder(folder, { root: home });
      return lockFile(join(folder, `${nameOf(id)}.${kind}`), wait);
    },
  };
}

/** Hash over server name, address and account, and the client where there is one. */
export function nameOf({ server, url, account, client }: CredentialId): string {
  const text = JSON.stringify([server, url, account, ...(client === undefined ? [] : [client])]);
  return createHash("sha256").update(text).digest("hex").slice(0, 32);
}

async function decode(
  text: string,
  key: Uint8Array,
  id: CredentialId,
): Promise<Credential | undefined> {
  try {
    const file: unknown = JSON.parse(text);
    if (!isObject(file) || typeof file.iv !== "string" || typeof file.data !== "string") return;
    const value: unknown = JSON.parse(await open(file as never, key, nameOf(id)));
    return isObject(value) ? { ...value, ...idOf(id) } as Credential : undefined;
  } catch {
    // Cut off, changed, or encrypted with a key that is gone.
    return undefined;
  }
}

/** Owner of a credential, from an object with further fields. */
export function idOf({ server, url, account, client }: CredentialId): CredentialId {
  return client === undefined ? { server, url, account } : { server, url, account, client };
}
