/** `.onetool/.gitignore`: excludes the state of one person or one machine. */

import { join } from "node:path";
import { readOwn } from "#files";
import { CliError } from "../error.ts";
import { type InitPlace, writeNew, writeWhole } from "./write_new.ts";

const LINES = ["cache/", "run/", "stats/", "tmp/", "secrets.yaml", "__pycache__/"];

/** Writes the file, or adds missing lines; returns its path if it was changed. */
export function ignoreState({ folder, root }: InitPlace): string | undefined {
  const file = join(folder, ".gitignore");
  if (writeNew(file, `${LINES.join("\n")}\n`, { root })) return file;
  const own = readOwn(file);
  if (own.kind !== "text") {
    const [why, fix] = own.kind === "refused" ? [own.why, own.fix] : ["it is a link", "Remove it"];
    throw new CliError(1, `Cannot add to "${file}": ${why}: ${fix}`);
  }
  const { text } = own;
  const present = new Set(text.split(/\r?\n/).map((line) => line.trim().replace(/^\//, "")));
  const missing = LINES.filter((line) =>
    !present.has(line) && !present.has(line.replace(/\/$/, ""))
  );
  if (missing.length === 0) return undefined;
  const gap = text === "" || text.endsWith("\n") ? "" : "\n";
  writeWhole(file, `${text}${gap}${missing.join("\n")}\n`, { root });
  return file;
}
