/** Owners of resources: the servers that list their URIs, or templates of them. */

import { createTurns } from "#base";
import type { ServerPack } from "#packs";
import type { Catalog } from "./catalogue.ts";

export interface ResourceCatalogs {
  readonly resources?: Catalog;
  readonly resourceTemplates?: Catalog;
}

const EXPRESSION = /\{[^{}]*\}/;
/** An expression that can stand for a slash: one with an operator, or for a list. */
const WIDE = /\{(?:[^\w{}][^{}]*|[^{}]*\*)\}/;

/** Characters of a URI that is compared with templates, and of a template. */
const MOST_COMPARED = 8_000;

/** Server that lists this URI; otherwise, of the templates that match it, the one with the longest
 * literal start counts, and of equal ones the first. Undefined for any URI while a list is missing. */
export async function listedOwner(
  uri: string,
  { resources, resourceTemplates }: ResourceCatalogs,
): Promise<ServerPack | undefined> {
  if (!resources || !resourceTemplates) return undefined;
  let owner = resources.get(uri)?.server;
  if (owner || uri.length > MOST_COMPARED) return owner;
  const turn = createTurns();
  let longest = 0;
  for (const { id, server } of resourceTemplates.values()) {
    await turn();
    const length = id.length > MOST_COMPARED ? 0 : matchTemplate(id, uri);
    if (length <= longest) continue;
    longest = length;
    owner = server;
  }
  return owner;
}

/** Length of the literal start of a template (RFC 6570) that matches the URI; 0 for one that does not,
 * or that fixes no scheme. Without backtracking: templates come from servers. */
function matchTemplate(template: string, uri: string): number {
  const start = template.split("{", 1)[0] ?? "";
  if (!start.includes(":") || !uri.startsWith(start)) return 0;
  const literals = template.split(EXPRESSION).slice(1);
  const end = literals.pop();
  if (end === undefined) return uri === start ? start.length : 0;
  let at = start.length;
  for (const literal of literals) {
    const next = uri.indexOf(literal, at);
    if (next < 0) return 0;
    at = next + literal.length;
  }
  if (at + end.length > uri.length || !uri.endsWith(end)) return 0;
  return WIDE.test(template) || slashes(uri) === slashes(template) ? start.length : 0;
}

function slashes(text: string): number {
  return text.split("/").length;
}
