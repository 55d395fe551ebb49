/** `.onetool/.gitignore`: what belongs to one person or one machine is not committed. */

import { join } from "node:path";
import { writeNew } from "./write_new.ts";

const LINES = ["cache/", "run/", "stats/", "tmp/", "secrets.yaml", "__pycache__/"];

/** Writes the file, or adds the lines that it lacks; answers its path where it wrote. */
export async function ignoreState(root: string): Promise<string | undefined> {
  const file = join(root, ".onetool", ".gitignore");
  if (await writeNew(file, `${LINES.join("\n")}\n`)) return file;
  const text = await Deno.readTextFile(file);
  const known = new Set(text.split(/\r?\n/).map((line) => line.trim().replace(/^\//, "")));
  const missing = LINES.filter((line) => !known.has(line) && !known.has(line.replace(/\/$/, "")));
  if (missing.length === 0) return undefined;
  const gap = text === "" || text.endsWith("\n") ? "" : "\n";
  await Deno.writeTextFile(file, `${gap}${missing.join("\n")}\n`, { append: true });
  return file;
}
