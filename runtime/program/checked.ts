/** The text that the type checker gets in place of the author's: the same, position by position. */

import { children, type Node, type ParsedModule, startOf } from "./parse.ts";

/**
 * Puts `throw` where a `return` stands at the top. TypeScript does not look at what a top-level
 * `return` gives back; `throw` ends the program in the same place, and its expression is checked.
 */
export function checkedText({ text, program }: ParsedModule): string {
  const marks: number[] = [];
  const stack: Node[] = [program];
  for (let node = stack.pop(); node; node = stack.pop()) {
    if (node.type === "ReturnStatement" && node.argument) marks.push(startOf(node));
    if (!isFunction(node)) stack.push(...children(node));
  }
  let checked = "";
  let at = 0;
  for (const mark of marks.sort((a, b) => a - b)) {
    checked += `${text.slice(at, mark)}throw `; // As long as `return`: no position changes.
    at = mark + "return".length;
  }
  return checked + text.slice(at);
}

function isFunction(node: Node): boolean {
  return "body" in node && "params" in node;
}
