/** Descriptions of one tool: a name to type, a line, or all details. */

import type { JsonValue } from "#base";
import {
  callSignature,
  parameterNames,
  parameterSchema,
  sourceOf,
  spelled,
  type ToolEntry,
} from "#packs";
import { type Learned, resultType } from "../../types/mod.ts";
import { clipText } from "../../reply/lines.ts";
import { exampleCall } from "./example.ts";
import type { Info } from "./info.ts";

const BRIEF_BYTES = 200;

/** Name such as `github.create_issue`; in the spelling for code where the tool's own is no
 * identifier. */
export function callName(entry: ToolEntry): string {
  return `${spelled(entry.pack, entry.packKey)}.${spelled(entry.tool, entry.toolKey)}`;
}

/** The first line of a description, in 200 bytes. */
export function brief(description: string): string {
  const line = description.split("\n", 20).find((text) => text.trim() !== "") ?? "";
  return clipText(line.trim(), BRIEF_BYTES);
}

/** One tool at a level. */
export function describeTool(
  entry: ToolEntry,
  info: Info,
  learned?: Learned,
): JsonValue {
  const name = callName(entry);
  if (info === "list") return name;
  const { spec } = entry;
  if (info === "min") return { name, description: brief(spec.description) };
  const args = argumentTexts(entry);
  const { text: returns, origin } = resultType(entry, learned);
  return {
    name,
    signature: callSignature(entry, { placeholder: "'...'" }),
    description: spec.description,
    source: sourceOf(entry),
    effect: entry.effect,
    ...(args.length > 0 ? { args } : {}),
    ...(origin === "none" ? {} : { returns }),
    example: exampleCall(name, spec.inputSchema),
  };
}

/** `query: what to look for`, for each parameter that is described. */
function argumentTexts({ spec }: ToolEntry): string[] {
  return parameterNames(spec.inputSchema).flatMap((name) => {
    const { description } = parameterSchema(spec.inputSchema, name);
    return typeof description === "string" && description !== "" ? [`${name}: ${description}`] : [];
  });
}
