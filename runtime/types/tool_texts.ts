/** Declarations of tools, made again when a result type has changed. */

import { attempt, isPlainSchema, type Log, processorMs } from "#base";
import { bounded } from "#base/bounded";
import type { ToolEntry, ToolSpec } from "#packs";
import {
  declaredResult,
  type EmitPack,
  emitPack,
  emitTool,
  type ToolResult,
  type ToolText,
  withoutResult,
} from "./emit.ts";
import type { LearnedResult } from "./result_type.ts";

/** Time for the declarations of one tool, by the clock, and of one list of tools, by the processor. The
 * largest lists known take a tenth of a second. */
const MAX_TOOL_MS = 500;
const MAX_LIST_MS = 2_000;

/** Decides about the result type of one tool. */
export type KeepsResult = (entry: ToolEntry) => boolean;

/** Processor time that the declarations of one list of tools have taken. */
export interface Spent {
  ms: number;
  /** True after the log has named a tool without types. */
  isNoted?: boolean;
}

export interface TimedPack extends EmitPack {
  readonly spent: Spent;
}

export interface ToolTexts {
  /** Declarations of one tool. A tool that fails or takes too long, or whose list has taken too
   * long, accepts and returns anything. */
  ofTool(entry: ToolEntry, spent: Spent): ToolText;
  /** File of a pack; results that are not kept are `any`. */
  ofPack(pack: TimedPack, keeps?: KeepsResult): string;
}

export interface ToolTextsOptions {
  readonly learned?: (entry: ToolEntry) => LearnedResult | undefined;
  readonly log: Log;
}

interface CachedText {
  readonly key: string;
  /** Learned result that it was made with. */
  readonly result: ToolResult | undefined;
  readonly text: ToolText;
}

/** Keeps no texts at first. */
export function createToolTexts({ learned = () => undefined, log }: ToolTextsOptions): ToolTexts {
  const texts = new WeakMap<ToolSpec, CachedText>();

  function ofTool(entry: ToolEntry, spent: Spent): ToolText {
    const seen = learned(entry);
    const result = seen && { type: seen.check, calls: seen.calls };
    const cached = texts.get(entry.spec);
    const { toolKey: key } = entry;
    if (cached?.key === key && sameResult(cached.result, result)) return cached.text;
    // A text that is made again, as after a new result, takes no time of its list.
    const text = make(entry, result, cached ? { ms: 0 } : spent);
    texts.set(entry.spec, { key, result, text });
    return text;
  }

  function make(entry: ToolEntry, result: ToolResult | undefined, spent: Spent): ToolText {
    const before = processorMs();
    const emit = () => emitTool(entry, result ?? declaredResult(entry));
    const emitInTime = () => isPlainSchema(entry.spec) ? emit() : bounded(emit, MAX_TOOL_MS);
    // Whatever a schema does, other tools keep their types.
    const text = spent.ms > MAX_LIST_MS ? undefined : attempt(emitInTime);
    spent.ms += processorMs() - before;
    if (text) return text;
    if (!spent.isNoted) {
      log(
        "warning",
        "Cannot write the types of a tool, or of its server's tools, in time: they are untyped",
        {
          tool: entry.wire,
        },
      );
    }
    spent.isNoted = true;
    return emitTool({ ...entry, spec: { ...entry.spec, inputSchema: {} } });
  }

  return {
    ofTool,
    ofPack(pack, keeps = () => true) {
      const parts = pack.entries.map((entry) => {
        const text = ofTool(entry, pack.spent);
        return keeps(entry) ? text : withoutResult(text);
      });
      return emitPack(pack, parts);
    },
  };
}

function sameResult(one: ToolResult | undefined, other: ToolResult | undefined): boolean {
  return one?.type === other?.type && one?.calls === other?.calls;
}
