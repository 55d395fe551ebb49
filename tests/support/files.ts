/** Files of the tree. */

import { join } from "node:path";

/** Every file below a folder whose name ends so, as a path. */
export async function* walkFiles(folder: string, ending: string): AsyncGenerator<string> {
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    const path = join(folder, name);
    if (isDirectory) yield* walkFiles(path, ending);
    else if (name.endsWith(ending)) yield path;
  }
}

/** The text of a file as soon as it is there; throws after a minute. */
export async function waitForText(path: string): Promise<string> {
  for (let tries = 0; tries < 3_000; tries++) {
    try {
      return await Deno.readTextFile(path);
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
  throw new Error(`"${path}" is not there after a minute`);
}

/** Removes a folder that a process may still write into as it ends. */
export async function removeTree(path: string): Promise<void> {
  for (let tries = 1;; tries++) {
    try {
      return await Deno.remove(path, { recursive: true });
    } catch (error) {
      if (tries === 3_000 || !String(error).includes("Directory not empty")) throw error;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}
