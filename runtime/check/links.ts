/** The modules that a text names. */

const NAMED =
  /\b(?:from|import|require|module)\b\s*(?:\(\s*)?(["'`])((?:\\.|(?!\1)[^\\\n])*)\1|(\/\/\/[^\n]*)/g;

const TOOLS = "toolscript";

/** What a text names, in its order. Too much where a string or a comment looks like an import; too
 * little only where a comment stands inside one. */
export function linksOf(text: string): string[] {
  return [...text.matchAll(NAMED)].map(([, , name, reference]) => name ?? reference ?? "");
}

/** A program that names no tools names their module in a line of its own at the end: the compiler
 * finds every module anew for a program that names others than the one before it. */
export function naming(text: string): string {
  return linksOf(text).includes(TOOLS) ? text : `${text}\n;import "${TOOLS}";`;
}
