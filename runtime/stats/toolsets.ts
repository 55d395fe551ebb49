/** Definitions of all tools that an agent would have to read, as `tools/list` gives them. */

import { createTurns } from "#base";
import { createHash } from "node:crypto";
import type { Registry, ToolEntry } from "#packs";
import { OWN_PACKS } from "#packs/server";
import { byteLength } from "../reply/lines.ts";
import type { ToolsetRow } from "./types.ts";

const MAX_TEXT = 8_192;
/** Characters whose tokens are counted; more of them say the same. */
const MAX_CHARACTERS = 262_144;

export interface ToolsetSource {
  readonly registry: Pick<Registry, "entries" | "onChange">;
  /** A test for the tools that are sent to the agent all the same (`direct`). */
  readonly sent: () => (entry: ToolEntry) => boolean;
  /** Text sent in place of the definitions: the tool `run` and the instructions. */
  readonly offered: () => string;
}

export interface Toolset {
  readonly row: ToolsetRow;
  /** True the first time that this toolset is returned. */
  readonly isNew: boolean;
  /** Some of its text. */
  readonly texts: readonly string[];
}

/** Builds the source; definitions are written again only after the registry has changed. */
export function createToolsets(
  source: ToolsetSource,
): { current(): Promise<Toolset> } {
  const sent = new Set<string>();
  let current: Toolset | undefined;
  let changes = 0;

  function changed(): void {
    current = undefined;
    changes++;
  }

  source.registry.onChange(changed);
  return {
    async current() {
      if (current) return { ...current, isNew: false, texts: [] };
      const before = changes;
      const toolset = await write(source);
      if (before === changes) current = toolset;
      const isNew = !sent.has(toolset.row.id);
      sent.add(toolset.row.id);
      return { ...toolset, isNew };
    },
  };
}

async function write({ registry, sent, offered }: ToolsetSource): Promise<Toolset> {
  const instead = offered();
  const isSent = sent();
  const hash = createHash("sha256").update(instead);
  const texts: string[] = [];
  const turn = createTurns();
  let tools = 0;
  let bytes = 0;
  let characters = 0;
  for (const entry of registry.entries()) {
    if (OWN_PACKS.includes(entry.pack) || isSent(entry)) continue;
    const text = definition(entry);
    hash.update(text);
    bytes += byteLength(text);
    if (characters < MAX_CHARACTERS) texts.push(...slices(text));
    characters += text.length;
    tools++;
    await turn();
  }
  const id = `tools:${hash.digest("hex").slice(0, 24)}`;
  return { row: { id, tools, bytes, offered: byteLength(instead) }, isNew: true, texts };
}

/** As a server would have sent it. */
function definition({ wire, spec }: ToolEntry): string {
  const { title, description, inputSchema, outputSchema, annotations } = spec;
  return JSON.stringify({
    name: wire,
    title,
    description,
    inputSchema,
    outputSchema,
    annotations,
  });
}

/** A long description takes no longer to count than many short ones. */
function* slices(text: string): Generator<string> {
  for (let at = 0; at < text.length; at += MAX_TEXT) {
    yield text.slice(at, at + MAX_TEXT).toWellFormed();
  }
}
