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
