/** Mark of the values of variables in a run file: a hash with a key of its own, since a short secret
 * is guessed from a plain hash. */

import { createHmac, randomBytes } from "node:crypto";
import { join } from "node:path";
import { lockFile, readOwn, writeWhole } from "#files";
import { openRunFolder } from "./run_file.ts";

const KEY_FILE = "variables.key";
const KEY = /^[0-9a-f]{64}$/;

/** Makes the mark for a hash over names and values; the same one in all processes of the user. Throws
 * where the key cannot be kept. */
export async function markVariables(home: string, hash: string): Promise<string> {
  const key = await takeKey(home);
  return createHmac("sha256", key).update(hash).digest("hex");
}

/** Reads the key, and makes one that is missing or damaged. */
async function takeKey(home: string): Promise<string> {
  const path = join(await openRunFolder(home), KEY_FILE);
  const first = readKey(path);
  if (first !== undefined) return first;
  using _lock = await lockFile(`${path}.lock`);
  const other = readKey(path);
  if (other !== undefined) return other;
  const key = randomBytes(32).toString("hex");
  writeWhole(path, key, { root: home, mode: 0o600 });
  return key;
}

function readKey(path: string): string | undefined {
  const own = readOwn(path);
  if (own.kind === "refused") throw new Error(`Cannot use "${path}": ${own.why}: ${own.fix}`);
  return own.kind === "text" && KEY.test(own.text) ? own.text : undefined;
}
