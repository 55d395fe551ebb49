/** Result type of a tool, as help shows it. */

import type { ToolEntry } from "#packs";
import { convertSchema } from "./convert.ts";
import { inlineType } from "./inline.ts";
import type { Converted } from "./ir.ts";

const LONGEST = 300;

/** Type in one line. */
export interface ResultType {
  /** `any` where nothing is known. */
  readonly text: string;
  /** `declared` by an output schema, `learned` from results. */
  readonly origin: "declared" | "learned" | "none";
}

/** Type of a tool's results as they were seen, with fields that may be missing and `null`. */
export interface LearnedResult extends Converted {
  /** Number of calls. */
  readonly calls: number;
  /** Type for the checker; the same object until the type changes. */
  readonly check: Converted;
}

/** Finds what was learned of a tool's results. */
export type Learned = (entry: ToolEntry) => Converted | undefined;

const NONE: ResultType = { text: "any", origin: "none" };

/** The type of what a tool returns: from its output schema, else as it was learned; in at most 300
 * characters. */
export function resultType(entry: ToolEntry, learned?: Learned, most = LONGEST): ResultType {
  const { outputSchema } = entry.spec;
  const type = outputSchema ? convertSchema(outputSchema) : learned?.(entry);
  if (!type || type.root.kind === "anything") return NONE;
  const origin = outputSchema ? "declared" : "learned";
  return { text: inlineType(type, most).slice(0, most), origin };
}
