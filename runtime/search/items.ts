/** Search items of tools. */

import type { JsonValue } from "#base";
import { parameterNames, parameterSchema, type ToolEntry } from "#packs";
import type { SearchItem } from "./types.ts";

type Schema = ToolEntry["spec"]["inputSchema"];

const MAX_CHOICES = 20;
const MAX_EXAMPLES = 3;

/** A tool, under the name and with the line that it is shown with. */
export function toolItem(
  entry: ToolEntry,
  { name, description, hints = [] }: Pick<SearchItem, "name" | "description" | "hints">,
): SearchItem {
  const { spec, tool } = entry;
  const parameters = parameterNames(spec.inputSchema);
  const title = typeof spec.title === "string" ? `${spec.title}\n` : "";
  return {
    kind: "tool",
    name,
    description,
    own: tool,
    spellings: spellingsOf(entry, name),
    text: title + spec.description,
    parameters: [...parameters, ...parameters.flatMap((key) => choicesOf(spec.inputSchema, key))],
    hints: [...parameters.flatMap((key) => examplesOf(spec.inputSchema, key)), ...hints],
  };
}

function spellingsOf(entry: ToolEntry, name: string): string[] {
  const { wire, pack, tool, packKey, toolKey, snakeKey = toolKey } = entry;
  return [name, wire, `${pack}.${tool}`, `${packKey}.${toolKey}`, `${packKey}.${snakeKey}`]
    .map((spelling) => spelling.toLowerCase());
}

/** The words that a parameter may be, where its schema lists them. */
function choicesOf(schema: Schema, key: string): string[] {
  return textsOf(parameterSchema(schema, key).enum, MAX_CHOICES);
}

function examplesOf(schema: Schema, key: string): string[] {
  return textsOf(parameterSchema(schema, key).examples, MAX_EXAMPLES);
}

function textsOf(list: JsonValue | undefined, most: number): string[] {
  if (!Array.isArray(list)) return [];
  return list.filter((text) => typeof text === "string").slice(0, most);
}
