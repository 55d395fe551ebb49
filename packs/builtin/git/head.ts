/** Where `HEAD` leads, as git follows it for most commands. */

import { join } from "node:path";
import { attempt, exactText } from "#base";
import { readRegular } from "#files";
import { failed } from "./failed.ts";

/** Git itself follows no more. */
const MOST_STEPS = 5;
const MOST_BYTES = 65_536;
const NO_REF = /(?:^|\/)\.\.?(?:\/|$)|\0/;

/** Throws `PackError` for a `HEAD` that leads through what is no ref, such as `hooks/x`: only refs
 * are searched for links. */
export function checkHead(
  { dir, shared }: { readonly dir: string; readonly shared: string },
): void {
  let names = ["HEAD"];
  for (let step = 0; step < MOST_STEPS && names.length > 0; step++) {
    const files = names.flatMap((name) => [join(dir, name), join(shared, name)]);
    names = [...new Set(files)].flatMap(targetOf);
    const other = names.find((name) => !name.startsWith("refs/") || NO_REF.test(name));
    if (other !== undefined) {
      const name = JSON.stringify(other.slice(0, 200));
      throw failed(`its HEAD leads to ${name}, which is no ref: switch to a branch yourself`);
    }
  }
}

/** Name that a symbolic ref holds, none for other files. */
function targetOf(file: string): string[] {
  const bytes = attempt(() => readRegular(file, MOST_BYTES));
  if (bytes === undefined) return [];
  const text = exactText(bytes);
  if (text === undefined) return ["?"];
  const name = /^ref:\s*([^\n]*)/.exec(text)?.[1]?.trimEnd();
  return name === undefined ? [] : [name];
}
