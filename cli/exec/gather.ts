/** Collects the modules that a script imports from beside it. */

import { join, relative, sep } from "node:path";
import type { Script } from "./script.ts";

const MAX_FILES = 1_000;
const MAX_BYTES = 16 * 1024 * 1024;

/** The script's relative imports, and theirs, by path below its folder. What may not be imported,
 * or is not there, is left out: the gateway says so, with the place of the import. */
export async function gatherFiles(script: Script): Promise<Record<string, string>> {
  const files = new Map<string, string>();
  // Most scripts stand alone: the parser is loaded for those that do not.
  if (!/["'`]\.{1,2}\//.test(script.text)) return {};
  const { findLinks, parseModule, resolveImport } = await import("#runtime");
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
      if (text === undefined || (bytes += text.length) > MAX_BYTES) continue;
      files.set(target.path, text);
      queue.push({ path: target.path, text });
    }
  }
  return Object.fromEntries(files);
}

/** The text of a `.ts` file whose real path lies below `root`, not behind a dot name. */
async function readBelow(root: string, path: string): Promise<string | undefined> {
  try {
    const real = await Deno.realPath(join(root, path));
    const segments = relative(root, real).split(sep);
    if (!real.endsWith(".ts") || segments.some((segment) => segment.startsWith("."))) {
      return undefined;
    }
    const info = await Deno.stat(real);
    return info.isFile && info.size <= MAX_BYTES ? await Deno.readTextFile(real) : undefined;
  } catch {
    // Not there, or not readable: the same to the importer.
    return undefined;
  }
}
