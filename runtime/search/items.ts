/** Search items of tools. */

import { isObject } from "#base";
import { parameterNames, type ToolEntry } from "#packs";
import type { SearchItem } from "./types.ts";

const MAX_CHOICES = 20;

/** A tool, under the name and with the line that it is shown with. */
export function toolItem(
  entry: ToolEntry,
  { name, description }: Pick<SearchItem, "name" | "description">,
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
  };
}

function spellingsOf(entry: ToolEntry, name: string): string[] {
  const { wire, pack, tool, packKey, toolKey, snakeKey = toolKey } = entry;
  return [name, wire, `${pack}.${tool}`, `${packKey}.${toolKey}`, `${packKey}.${snakeKey}`]
    .map((spelling) => spelling.toLowerCase());
}

/** The words that a parameter may be, where its schema lists them. */
function choicesOf({ properties }: ToolEntry["spec"]["inputSchema"], key: string): string[] {
  const property = isObject(properties) && Object.hasOwn(properties, key) ? properties[key] : {};
  const choices = isObject(property) && "enum" in property ? property.enum : [];
  if (!Array.isArray(choices)) return [];
  return choices.filter((choice) => typeof choice === "string").slice(0, MAX_CHOICES);
}
