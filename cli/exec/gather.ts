/** Modules that a script imports from its folder. */

import { join, relative, sep } from "node:path";
import { importLate } from "#base/late";
import { readRegularText } from "#files";
import type { Script } from "./script.ts";

const MAX_FILES = 1_000;
const MAX_BYTES = 16 * 1024 * 1024;

/** Modules that a script may import. */
export interface GatheredFiles {
  /** Their texts, by path below the script's folder. */
  readonly files: Readonly<Record<string, string>>;
  /** Paths of links that lead out of the folder or to a hidden file. */
  readonly outside: readonly string[];
}

/** Reads the relative imports of the script, recursively. Missing files are left out: the gateway
 * reports them with the line of the import. */
export async function gatherFiles(script: Script): Promise<GatheredFiles> {
  const outside: string[] = [];
  const files = new Map<string, string>();
  // Most scripts have no relative imports: the parser is loaded for the others only.
  if (!/["'`]\.{1,2}\//.test(script.text)) return { files: {}, outside };
  const { findLinks, parseModule, resolveImport } = await importLate<typeof import("#runtime")>(
    "../../runtime/mod.ts",
    import.meta.url,
  );
  const root = await Deno.realPath(script.folder);
  const seen = new Set([script.file]);
  const queue = [{ path: script.file, text: script.text }];
  let bytes = 0;
  for (let next = queue.shift(); next; next = queue.shift()) {
    const parsed = parseModule(next.text);
    if (parsed.kind === "failed") continue;
    for (const { specifier } of findLinks(parsed).links) {
      const target = resolveImport(specifier, next.path);
      if (target.kind !== "module" || seen.has(target.path) || seen.size > MAX_FILES) continue;
      seen.add(target.path);
      const text = await readBelow(root, target.path);
      if (text === OUTSIDE) outside.push(target.path);
      if (typeof text !== "string" || (bytes += text.length) > MAX_BYTES) continue;
      files.set(target.path, text);
      queue.push({ path: target.path, text });
    }
  }
  return { files: Object.fromEntries(files), outside };
}

const OUTSIDE = Symbol("outside");

/** Reads a `.ts` file whose real path lies below `root` and has no name with a leading dot. */
async function readBelow(root: string, path: string): Promise<string | typeof OUTSIDE | undefined> {
  try {
    const real = await Deno.realPath(join(root, path));
    const segments = relative(root, real).split(sep);
    if (!real.endsWith(".ts") || segments.some((segment) => segment.startsWith("."))) {
      return OUTSIDE;
    }
    return readRegularText(real, MAX_BYTES);
  } catch {
    // A missing and an unreadable file are the same for the importer.
    return undefined;
  }
}
