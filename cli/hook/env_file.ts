/** Exports variables to an agent's shell by the file that it reads. */

/** Sets `name` in the file: a line of ours that says something else is replaced, all others stay.
 * Throws `RangeError` for a value that is not one line. */
export async function exportVariable(
  path: string,
  { name, value }: { readonly name: string; readonly value: string },
): Promise<void> {
  if (/[\n\0]/.test(value)) throw new RangeError(`Cannot export ${name}: it is not one line`);
  const line = `export ${name}=${shellQuote(value)}`;
  const text = await readIfThere(path);
  const lines = text.split("\n");
  const ours = lines.filter((other) => other.startsWith(`export ${name}=`));
  if (ours.length === 0) {
    // Appending leaves alone what other hooks write at the same time.
    const start = text === "" || text.endsWith("\n") ? "" : "\n";
    await Deno.writeTextFile(path, `${start}${line}\n`, { append: true });
  } else if (ours.length > 1 || ours[0] !== line) {
    const kept = lines.filter((other) => !ours.includes(other)).join("\n");
    await Deno.writeTextFile(
      path,
      `${kept}${kept === "" || kept.endsWith("\n") ? "" : "\n"}${line}\n`,
    );
  }
}

/** A word that every POSIX shell reads as exactly this text. */
export function shellQuote(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

async function readIfThere(path: string): Promise<string> {
  try {
    return await Deno.readTextFile(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return "";
    throw error;
  }
}
