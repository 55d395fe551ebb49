/** Single words: `True`, `False` and `None` (rule 4), and aliases (RUN-29). */

import { endOf, startOf } from "../../syntax/parse.ts";
import type { Target } from "../names.ts";
import { wordText } from "../python_words.ts";
import { isIdentifier, quote, type Rewriting } from "./rewriting.ts";
import type { Path } from "./path.ts";

/** Rewrites a name if it is one of these words. */
export function rewriteWord(path: Path, rewriting: Rewriting): void {
  const { node, scope } = path;
  if (node.type !== "Identifier" || !rewriting.meanings.isFree(node.name, scope)) return;
  const word = wordText(node.name) ?? aliasText(path, rewriting);
  if (word === undefined) return;
  const start = startOf(node);
  const parent = path.parent?.node;
  const shorthand = parent?.type === "ObjectProperty" && parent.shorthand;
  const text = shorthand ? `${node.name}: ${word}` : word;
  if (text.length <= endOf(node) - start) return rewriting.edits.blank(start, endOf(node), text);
  rewriting.edits.insert(start, text);
  rewriting.edits.blank(start, endOf(node));
}

/** Text for an alias; undefined where the name is the pack of a called tool. */
function aliasText(path: Path, rewriting: Rewriting): string | undefined {
  const { node, parent } = path;
  if (node.type !== "Identifier") return undefined;
  const { table } = rewriting.meanings;
  const above = parent?.node;
  const isOwner = above && "object" in above && above.object === node;
  if (isOwner && table.pack(node.name)) return undefined;
  const target = table.aliasTarget(node.name);
  const alias = table.alias(node.name);
  if (!target || !alias) return undefined;
  return targetText(target, alias, rewriting);
}

function targetText(
  target: Target,
  alias: { readonly pack: string; readonly tool: string },
  { survey, needs }: Rewriting,
): string {
  if (target.kind !== "tool" && target.kind !== "no_tool") {
    needs.tools = true;
    return `${needs.toolsAs}${member(alias.pack)}${member(alias.tool)}`;
  }
  const { key, name } = target.pack;
  const tool = target.kind === "tool" ? target.tool.name : alias.tool;
  const own = [name, key].find((word) => isIdentifier(word) && !survey.declared.has(word));
  if (own === undefined) {
    needs.tools = true;
    return `${needs.toolsAs}${member(key)}${member(tool)}`;
  }
  needs.packs.add(own);
  return `${own}${member(tool)}`;
}

function member(name: string): string {
  return isIdentifier(name) ? `.${name}` : `[${quote(name)}]`;
}
