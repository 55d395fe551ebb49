/** The kinds of texts that are sampled. */

/** The kind of text that a tool answers with. */
export function kindOf(pack: string, tool: string): string {
  return `tool:${pack}.${tool}`;
}
