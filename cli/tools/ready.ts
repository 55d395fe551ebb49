/** Tools of a gateway; it responds when all its servers have listed theirs. */

import { isObject, sleep } from "#base";
import type { Client } from "../client.ts";
import type { Printer } from "../print.ts";

export interface ListedTool {
  readonly name: string;
  readonly server: string;
  readonly description: string;
  readonly source: string;
  /** Missing for a server whose tools are unknown. */
  readonly effect?: string;
  /** `config`, `pack`, `annotations` or `default`. */
  readonly effect_from?: string;
}

const POLL_MS = 150;

/** Fetches all tools; meanwhile it shows which servers are still connecting. */
export async function fetchTools(client: Client, print: Printer): Promise<ListedTool[]> {
  const done = new AbortController();
  const progress = showPending(client, print, done.signal);
  try {
    const answer: unknown = await (await client.request("/tools")).json();
    return (Array.isArray(answer) ? answer : []).filter(isObject).map(readTool);
  } finally {
    done.abort();
    await progress;
  }
}

function readTool(tool: Record<string, unknown>): ListedTool {
  return {
    name: String(tool.name),
    server: String(tool.server),
    description: String(tool.description ?? ""),
    source: String(tool.source),
    effect: String(tool.effect),
    effect_from: String(tool.effect_from),
  };
}

async function showPending(client: Client, print: Printer, signal: AbortSignal): Promise<void> {
  while (await sleep(POLL_MS, signal).then(() => true, () => false)) {
    const answer = await client.peek("/ready", 2_000);
    const pending = isObject(answer) && Array.isArray(answer.pending) ? answer.pending : [];
    if (pending.length > 0) await print.progress(`Connecting to ${pending.join(", ")}`);
  }
  await print.progress("");
}

export interface UnknownPack {
  /** Names that exist. */
  readonly names: readonly string[];
  /** Action that needed it: `list`. */
  readonly verb: string;
}

/** Names the missing pack, and the nearest one that exists. */
export async function unknownPack(pack: string, { names, verb }: UnknownPack): Promise<string> {
  const { closest } = await import("#packs/nearest");
  const near = closest(pack, names);
  const available = names.length === 0 ? "none are configured" : `there are ${names.join(", ")}`;
  const way = near === undefined ? available : `did you mean "${near}"?`;
  return `Cannot ${verb} ${JSON.stringify(pack)}: no such server or pack: ${way}`;
}
