/** Descriptions of packs on disk, by the hash of their sources: a start runs nothing. */

import { dirname, join } from "node:path";
import { attempt, isObject, type Log } from "#base";
import { openStateFolder, readOwn, throughDraft } from "#files";
import { readEffect } from "../../effect.ts";
import { readTool } from "../../mcp/tools/tool_list.ts";
import type { ArgumentForm, DescribedTool, PackDescription, PackFinding } from "../types.ts";

const VERSION = 2;
const MOST_BYTES = 64 * 1024 * 1024;

/** Cache file of a description. */
export function descriptionFile(cacheDir: string, hash: string): string {
  return join(cacheDir, "packs", `${hash}.json`);
}

/** Saved description; undefined where it is missing or unreadable. */
export function readDescription(path: string): PackDescription | undefined {
  // Missing or damaged: the pack is described again.
  return attempt(() => {
    const own = readOwn(path, { maxBytes: MOST_BYTES });
    if (own.kind !== "text") return undefined;
    const saved: unknown = JSON.parse(own.text);
    if (!isObject(saved) || saved.version !== VERSION) return undefined;
    if (!Array.isArray(saved.tools) || !Array.isArray(saved.findings)) return undefined;
    return { tools: readTools(saved.tools), findings: readFindings(saved.findings) };
  });
}

/** Reads tools that a worker, or an earlier start, described; malformed ones are left out. */
export function readTools(entries: readonly unknown[]): DescribedTool[] {
  return entries.flatMap((entry) => {
    const { spec, form } = isObject(entry) && isObject(entry.spec)
      ? entry
      : { spec: entry, form: undefined };
    const tool = readTool(spec);
    if (!("inputSchema" in tool)) return [];
    const own = readForm(form);
    const effect = readEffect(isObject(spec) ? spec.effect : undefined);
    return [{ spec: { ...tool, ...(effect ? { effect } : {}) }, ...(own ? { form: own } : {}) }];
  });
}

function readForm(form: unknown): ArgumentForm | undefined {
  if (!isObject(form)) return undefined;
  const { kind, names, rest } = form;
  if (kind === "object") return { kind };
  if (kind !== "positional" || !Array.isArray(names)) return undefined;
  return { kind, names: names.map(String), rest: rest === true };
}

function readFindings(entries: readonly unknown[]): PackFinding[] {
  return entries.flatMap((entry) => {
    if (!isObject(entry)) return [];
    const { severity, message, file, line, fix } = entry;
    if (typeof message !== "string" || typeof file !== "string") return [];
    return [{
      severity: severity === "error" ? "error" : "warning",
      message,
      file,
      ...(typeof line === "number" ? { line } : {}),
      ...(typeof fix === "string" ? { fix } : {}),
    }];
  });
}

/** Saves a description whole or not at all. */
export async function writeDescription(
  path: string,
  description: PackDescription,
  log: Log,
): Promise<void> {
  try {
    openStateFolder(dirname(path), { root: dirname(dirname(path)) });
    const text = JSON.stringify({ version: VERSION, ...description });
    await throughDraft(path, (draft) => {
      return Deno.writeTextFile(draft, text, { createNew: true, mode: 0o600 });
    });
  } catch (error) {
    log("warning", "Cannot save the description of a pack", { error: String(error) });
  }
}
