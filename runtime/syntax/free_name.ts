/** Names for declarations that the rewriting of a text adds. */

/** Name that does not occur in the text: `name` with one underscore more than follow it anywhere. */
export function freeName(name: string, text: string): string {
  let free = name;
  for (const [, run = ""] of text.matchAll(new RegExp(`${RegExp.escape(name)}(?=(_*))`, "g"))) {
    if (name.length + run.length >= free.length) free = `${name}${run}_`;
  }
  return free;
}
