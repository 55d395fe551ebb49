/** Tokens that definitions of tools take in the context of a model. */

import type { JsonObject } from "#base";

const MOST_COUNTED = 400_000;

/** Counts tokens of `o200k_base`. Words without an end, for which that takes long, are split. */
export async function countTokens(text: string): Promise<string> {
  const { countTokens: count } = await import("gpt-tokenizer/encoding/o200k_base");
  const some = text.slice(0, MOST_COUNTED).replace(/\S{400}/g, "$& ");
  const sum = count(some, { allowedSpecial: new Set(), disallowedSpecial: new Set() });
  return text.length > MOST_COUNTED ? `over ${sum}` : String(sum);
}

/** The parts of a tool that a model reads. */
export function definitionOf({ name, description, inputSchema }: JsonObject): string {
  return JSON.stringify({ name, description, inputSchema });
}
