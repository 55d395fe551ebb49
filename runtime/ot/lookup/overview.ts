/** Answer of `ot.help` without a query (OT-43). */

import { camelCase, type Pack, spelled } from "#packs";
import { foreignLine } from "./foreign.ts";

const NAMES = 1_500;
const OVERVIEW = `## Find
ot.help("create issue"): what is like these words, ready to be called
ot.help("create issue", "send mail"): several at once
ot.help("github.create_issue"): everything about a tool
ot.help("github"): a pack, with the signature of each tool
ot.tools(pattern="search", pack="github"), ot.packs(): lists to filter in code
ot.snippets(), called as $name param=value; ot.aliases(): short names of tools
ot.result(handle="..."): read on in a stored result

## info
list: names, as a list
min: what is needed for a call (the default)
full: up to ten tools

## Tips
Call tools as pack.tool(name=value)
Join, filter and pick in code, and return only what you need`;

/** The ways to find something, and the names of the packs. */
export function overviewText(packs: readonly Pack[]): string {
  return `${OVERVIEW}\n\nPacks: ${packNames(packs)}`;
}

/** Names as code writes them. */
export function packNames(packs: readonly Pack[]): string {
  const names = packs.map(({ name }) => spelled(name, camelCase(name)));
  return foreignLine(names.join(", "), NAMES);
}
