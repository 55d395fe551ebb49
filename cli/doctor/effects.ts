/** Check that servers say what their tools do. */

import { isObject } from "#base";
import type { Client } from "../client.ts";
import { type Finding, worth } from "./types.ts";

const PEEK_MS = 10_000;

/** Points to servers none of whose tools declares an effect: all of them count as writing. */
export async function checkEffects(client: Client): Promise<Finding[]> {
  const answer = await client.peek("/tools", PEEK_MS);
  const tools = (Array.isArray(answer) ? answer : []).filter(isObject)
    .filter(({ source }) => String(source).startsWith("proxy:"));
  return [...Map.groupBy(tools, ({ server }) => String(server))].flatMap(([server, own]) => {
    if (own.some(({ effect_from }) => effect_from !== "default")) return [];
    return [worth(
      `effects ${server}`,
      `None of its ${own.length} tools says what it does: each counts as write`,
      `Declare those that only read in servers.${server}.effects: toolscript effects ${server}`,
    )];
  });
}
