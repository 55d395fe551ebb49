/** Keychain of the system, for one short text. */

import { userInfo } from "node:os";
import { within } from "#base";

export interface Keychain {
  /** Undefined without an entry; rejects where no keychain answers. */
  read(): Promise<string | undefined>;
  write(text: string): Promise<void>;
}

const SERVICE = "toolscript";
/** A locked keychain may wait for a person. */
const TIMEOUT_MS = 20_000;

/** Not the keyring of Linux's kernel, which forgets. */
const OPTIONS = { linux: { store: "secret-service" } } as const;

/** Opens the entry for the credentials; undefined on a machine without a keychain, and for a home folder
 * that is not the one of the user that the keychain belongs to. */
export async function openKeychain(home: string): Promise<Keychain | undefined> {
  if (userInfo().homedir !== home) return undefined;
  try {
    const { AsyncEntry } = await import("@napi-rs/keyring");
    const entry = new AsyncEntry(SERVICE, "credentials", OPTIONS);
    return {
      async read() {
        return await timely(entry.getPassword()) ?? undefined;
      },
      async write(text) {
        await timely(entry.setPassword(text));
      },
    };
  } catch {
    // The package is optional, and has no code for every system.
    return undefined;
  }
}

async function timely<T>(work: Promise<T>): Promise<T> {
  if (await within(work, TIMEOUT_MS)) return await work;
  throw new Error("Cannot use the keychain: it does not answer: unlock it");
}
