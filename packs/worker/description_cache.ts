/** What is known of packs, on disk by the hash of their sources: a start need not run anything. */

import { dirname, join } from "node:path";
import { isObject, type Log } from "#sandbox";
import { readTool } from "../mcp/tool_list.ts";
import type { ArgumentForm, DescribedTool, PackDescription, PackFinding } from "./types.ts";

const VERSION = 1;

/** The file of one content's description. */
export function descriptionFile(cacheDir: string, hash: string): string {
  return join(cacheDir, "packs", `${hash}.json`);
}

/** What was saved, or undefined: nothing, or nothing readable. */
export function readDescription(path: string): PackDescription | undefined {
  try {
    const saved: unknown = JSON.parse(Deno.readTextFileSync(path));
    if (!isObject(saved) || saved.version !== VERSION) return undefined;
    if (!Array.isArray(saved.tools) || !Array.isArray(saved.findings)) return undefined;
    return {
      tools: readTools(saved.tools),
      findings: saved.findings as PackFinding[],
    };
  } catch {
    // Missing or damaged: the pack is described as if it had never been.
    return undefined;
  }
}

/** Tools as a worker, or an earlier start, described them; what is malformed is left out. */
export function readTools(entries: readonly unknown[]): DescribedTool[] {
  return entries.flatMap((entry) => {
    const { spec, form } = isObject(entry) && isObject(entry.spec)
      ? entry
      : { spec: entry, form: undefined };
    const tool = readTool(spec);
    if (!("inputSchema" in tool)) return [];
    return [{ spec: tool, ...(isObject(form) ? { form: form as unknown as ArgumentForm } : {}) }];
  });
}

/** Saves a description whole or not at all. */
export async function writeDescription(
  path: string,
  description: PackDescription,
  log: Log,
): Promise<void> {
  const temporary = `${path}.${crypto.randomUUID()}`;
  try {
    await Deno.mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await Deno.writeTextFile(temporary, JSON.stringify({ version: VERSION, ...description }), {
      mode: 0o600,
    });
    await Deno.rename(temporary, path);
  } catch (error) {
    await Deno.remove(temporary).catch(() => {}); // it may never have come to be
    log("warning", "Cannot save what is known of a pack", { error: String(error) });
  }
}
