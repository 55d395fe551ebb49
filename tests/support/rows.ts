/** Lines of foreign text that were broken into rows with a mark each, joined again. */

/** Joins the rows of each line. */
export function joinRows(text: string): string {
  return text.replaceAll(/\n {2}[|+~-] {5}/g, "");
}
