/** Declarations of tools, made again when a result type has changed. */

import type { ToolEntry, ToolSpec } from "#packs";
import {
  declaredResult,
  type EmitPack,
  emitPack,
  emitTool,
  type ToolResult,
  type ToolText,
} from "./emit.ts";
import type { LearnedResult } from "./result_type.ts";

/** Decides about the result type of one tool. */
export type KeepsResult = (entry: ToolEntry) => boolean;

export interface ToolTexts {
  /** Declarations of one tool. */
  ofTool(entry: ToolEntry): ToolText;
  /** File of a pack; results that are not kept are `any`. */
  ofPack(pack: EmitPack, keeps?: KeepsResult): string;
}

interface CachedText {
  readonly key: string;
  /** Learned result that it was made with. */
  readonly result: ToolResult | undefined;
  readonly text: ToolText;
}

/** Keeps no texts at first. */
export function createToolTexts(
  learned: (entry: ToolEntry) => LearnedResult | undefined = () => undefined,
): ToolTexts {
  const texts = new WeakMap<ToolSpec, CachedText>();

  function ofTool(entry: ToolEntry): ToolText {
    const seen = learned(entry);
    const result = seen && { type: seen.check, calls: seen.calls };
    const cached = texts.get(entry.spec);
    const { toolKey: key } = entry;
    if (cached?.key === key && sameResult(cached.result, result)) return cached.text;
    const text = emitTool(entry, result ?? declaredResult(entry));
    texts.set(entry.spec, { key, result, text });
    return text;
  }

  return {
    ofTool,
    ofPack(pack, keeps = () => true) {
      const { entries } = pack;
      return emitPack(pack, entries.map((entry) => keeps(entry) ? ofTool(entry) : emitTool(entry)));
    },
  };
}

function sameResult(one: ToolResult | undefined, other: ToolResult | undefined): boolean {
  return one?.type === other?.type && one?.calls === other?.calls;
}
