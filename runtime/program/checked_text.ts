/** Text for the type checker: the author's, with the same positions. */

import { type Node, type ParsedModule, startOf, walk } from "../syntax/parse.ts";

/** Replaces each top-level `return` by `throw`. TypeScript does not check the expression of a
 * top-level `return`; `throw` ends the program in the same place, and its expression is checked. */
export function checkedText({ text, program }: ParsedModule): string {
  if (!text.includes("return")) return text;
  const marks: number[] = [];
  walk(program, (node) => {
    if (node.type === "ReturnStatement" && node.argument) marks.push(startOf(node));
    return isFunction(node) ? "skip" : undefined;
  });
  let checked = "";
  let at = 0;
  for (const mark of marks.sort((a, b) => a - b)) {
    checked += `${text.slice(at, mark)}throw `; // As long as `return`, so no position changes.
    at = mark + "return".length;
  }
  return checked + text.slice(at);
}

function isFunction(node: Node): boolean {
  return "body" in node && "params" in node;
}
