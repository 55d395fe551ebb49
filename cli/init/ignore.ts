/** `.onetool/.gitignore`: excludes the state of one person or one machine. */

import { join } from "node:path";
import { type InitPlace, readExisting, writeNew, writeWhole } from "./write_new.ts";

const LINES = ["cache/", "run/", "stats/", "tmp/", "secrets.yaml", "__pycache__/"];

/** Writes the file, or adds missing lines; returns its path if it was changed. */
export function ignoreState({ folder, root }: InitPlace): string | undefined {
  const file = join(folder, ".gitignore");
  if (writeNew(file, `${LINES.join("\n")}\n`, { root })) return file;
  const text = readExisting(file, "add to");
  const present = new Set(text.split(/\r?\n/).map((line) => line.trim().replace(/^\//, "")));
  const missing = LINES.filter((line) =>
    !present.has(line) && !present.has(line.replace(/\/$/, ""))
  );
  if (missing.length === 0) return undefined;
  const gap = text === "" || text.endsWith("\n") ? "" : "\n";
  writeWhole(file, `${text}${gap}${missing.join("\n")}\n`, { root });
  return file;
}
