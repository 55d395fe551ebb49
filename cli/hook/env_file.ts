/** Export of variables to the shell of an agent, by the file that it reads. */

/** Sets `name` in the file: replaces its line, keeps all others. Throws `RangeError` for a value of
 * several lines. */
export async function exportVariable(
  path: string,
  { name, value }: { readonly name: string; readonly value: string },
): Promise<void> {
  if (/[\n\0]/.test(value)) {
    throw new RangeError(`Cannot export ${name}: its value has several lines`);
  }
  const line = `export ${name}=${shellQuote(value)}`;
  const text = await readIfThere(path);
  const lines = text.split("\n");
  const ours = lines.filter((other) => other.startsWith(`export ${name}=`));
  if (ours.length === 0) {
    // Appending keeps what other hooks write at the same time.
    const start = text === "" || text.endsWith("\n") ? "" : "\n";
    await Deno.writeTextFile(path, `${start}${line}\n`, { append: true });
  } else if (ours.length > 1 || ours[0] !== line) {
    const otherLines = lines.filter((other) => !ours.includes(other)).join("\n");
    await Deno.writeTextFile(
      path,
      `${otherLines}${otherLines === "" || otherLines.endsWith("\n") ? "" : "\n"}${line}\n`,
    );
  }
}

/** Quotes a text for a POSIX shell. */
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
