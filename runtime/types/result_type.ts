/** Result type of a tool, as help shows it. */

import type { ToolEntry } from "#packs";
import { convertSchema } from "./convert.ts";
import { inlineType } from "./inline.ts";
import { type Converted, targetOf, type Type } from "./ir.ts";

const LONGEST = 300;
const MAX_FIELDS = 40;
const MAX_LEVELS = 8;

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

/** Names of the fields of what a tool returns, the outer ones first. */
export function resultFields(entry: ToolEntry, learned?: Learned): string[] {
  const { outputSchema } = entry.spec;
  const type = outputSchema ? convertSchema(outputSchema) : learned?.(entry);
  if (!type) return [];
  const names = new Set<string>();
  const seen = new Set<Type>();
  let level: readonly Type[] = [type.root];
  for (let depth = 0; depth < MAX_LEVELS && names.size < MAX_FIELDS; depth++) {
    level = level.flatMap((place) => placesWithin(place, { type, names, seen }));
  }
  return [...names].slice(0, MAX_FIELDS);
}

/** Adds the names of one place's fields, and returns the places below. */
function placesWithin(
  place: Type,
  { type, names, seen }: {
    readonly type: Converted;
    readonly names: Set<string>;
    readonly seen: Set<Type>;
  },
): readonly Type[] {
  if (seen.has(place)) return [];
  seen.add(place);
  switch (place.kind) {
    case "array":
      return [place.item];
    case "tuple":
      return place.items;
    case "union":
    case "intersection":
      return place.members;
    case "reference":
      return [targetOf(place.definition, type) ?? type.root];
    case "object":
      for (const { name } of place.properties) names.add(name);
      return [
        ...place.properties.map((property) => property.type),
        ...place.others ? [place.others] : [],
      ];
    default:
      return [];
  }
}

/** The type of what a tool returns: from its output schema, else as it was learned; in at most 300
 * characters. */
export function resultType(entry: ToolEntry, learned?: Learned, most = LONGEST): ResultType {
  const { outputSchema } = entry.spec;
  const type = outputSchema ? convertSchema(outputSchema) : learned?.(entry);
  if (!type || type.root.kind === "anything") return NONE;
  const origin = outputSchema ? "declared" : "learned";
  return { text: inlineType(type, most).slice(0, most), origin };
}
