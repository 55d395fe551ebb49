/** Result type of a tool, as help shows it. */

import type { ToolEntry } from "#packs";
import { convertSchema } from "./convert.ts";
import { inlineType } from "./inline.ts";
import type { Converted } from "./ir.ts";

const LONGEST = 300;

/** Type in one line, at most 300 characters. */
export interface ResultType {
  /** `any` where nothing is known. */
  readonly text: string;
  /** `declared` by an output schema, `learned` from results. */
  readonly origin: "declared" | "learned" | "none";
}

/** Type of a tool's results, as they were seen. */
export interface LearnedResult {
  /** Number of calls. */
  readonly calls: number;
  /** For people: with fields that may be missing, and `null`. */
  readonly help: Converted;
  /** For the type checker; the same object until the type changes. */
  readonly check: Converted;
}

/** Finds what was learned of a tool's results. */
export type Learned = (entry: ToolEntry) => LearnedResult | undefined;

const NONE: ResultType = { text: "any", origin: "none" };

/** The type of what a tool returns: from its output schema, else as it was learned. */
export function resultType(entry: ToolEntry, learned?: Learned): ResultType {
  const { outputSchema } = entry.spec;
  const type = outputSchema ? convertSchema(outputSchema) : learned?.(entry)?.help;
  if (!type || type.root.kind === "anything") return NONE;
  return { text: inlineType(type, LONGEST), origin: outputSchema ? "declared" : "learned" };
}
