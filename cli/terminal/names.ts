/** Names that others chose, in a prompt of ours. */

import { shorten } from "#base";

const PLAIN = /^[\w.$/@-]{1,40}$/;
const MOST_LETTERS = 40;

/** Writes a name; in quotes where it could be taken for anything else. */
export function promptName(name: string): string {
  return PLAIN.test(name) ? name : quotedName(name);
}

/** Writes a name in quotes, on one line. */
export function quotedName(name: string): string {
  return shorten(name, MOST_LETTERS);
}

/** Writes the first names, and how many more there are. */
export function promptNames(names: readonly string[], most: number): string {
  const more = names.length - most;
  const some = names.slice(0, most).map(promptName).join(", ");
  return more > 0 ? `${some} and ${more} more` : some;
}
