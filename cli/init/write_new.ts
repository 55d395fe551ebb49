/** Writes files that are not there yet, and nothing else. */

import { dirname } from "node:path";

/** Writes a file unless there is one; answers whether it did. */
export async function writeNew(
  file: string,
  text: string,
  options: { readonly mode?: number } = {},
): Promise<boolean> {
  await Deno.mkdir(dirname(file), { recursive: true });
  try {
    await Deno.writeTextFile(file, text, { createNew: true, ...options });
    return true;
  } catch (error) {
    if (error instanceof Deno.errors.AlreadyExists) return false;
    throw error;
  }
}

/** Whether something is there, a link to nowhere too. */
export async function isThere(path: string): Promise<boolean> {
  try {
    await Deno.lstat(path);
    return true;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}
