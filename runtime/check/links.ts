/** The modules that a text names. */

const SPECIFIER =
  /\b(?:from|import|require|module)\b\s*(?:\(\s*)?(["'`])((?:\\.|(?!\1)[^\\\n])*)\1|(\/\/\/[^\n]*)/g;

const TOOLS = "toolscript";

/** Lists the module names in a text, in order. A string or a comment that looks like an import
 * adds a name; an import with a comment inside it is missed. */
export function linksOf(text: string): string[] {
  return [...text.matchAll(SPECIFIER)].map(([, , name, reference]) => name ?? reference ?? "");
}

/** Appends an import of the tools' module to a program without one: the compiler resolves all
 * modules again for a program whose imports differ from those of the program before it. */
export function naming(text: string): string {
  return linksOf(text).includes(TOOLS) ? text : `${text}\n;import "${TOOLS}";`;
}
