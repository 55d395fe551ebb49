/** Words of Python for values, which a command may write (rule 4). */

export const PYTHON_WORDS: ReadonlyMap<string, boolean | null> = new Map([
  ["True", true],
  ["False", false],
  ["None", null],
]);

/** The word as TypeScript has it: `true` for `True`; undefined for another name. */
export function wordText(name: string): string | undefined {
  return PYTHON_WORDS.has(name) ? String(PYTHON_WORDS.get(name)) : undefined;
}
