/** Deno programs that are named by their addresses. */

import { unversioned } from "../../interpreters.ts";
import { namesOf, pathIn } from "../link_names.ts";
import { isBelow } from "../names.ts";
import { addPackage, infoOf, type Reader } from "../scripts.ts";

export const ADDRESS = /^(?:npm|jsr|https?|node):/;
/** Options with which Deno loads nothing from the folder for a program that is named by its
 * address. */
const PLAIN_OPTION =
  /^(?:-[AqrRWNEISO]+|--(?:quiet|cached-only|no-[\w-]+|unstable[\w-]*|(?:allow|deny|reload)\b.*))$/s;

/** For a Deno program that is named by its address, adds the files that options name and the
 * modules in the folder. An option that names a file elsewhere adds nothing. */
export async function addAddress(words: readonly string[], reader: Reader): Promise<void> {
  const [cwd = "/"] = reader.bases;
  const deno = words.findIndex((word) => unversioned(word) === "deno");
  const end = words.findIndex((word) => ADDRESS.test(word));
  for (let at = deno + 1; deno >= 0 && at < end; at++) {
    const option = words[at] ?? "";
    if (!option.startsWith("-") || PLAIN_OPTION.test(option)) continue;
    const [, held] = option.split(/=(.*)/s);
    const next = at + 1 < end ? words[at + 1] : undefined;
    const value = (held ?? next ?? ".").replace(/^-.*/s, ".");
    const names = namesOf(pathIn(cwd, value));
    const isHere = names.some((name) => reader.places.allowed.some((one) => isBelow(name, one)));
    if (!isHere) continue;
    addPackage(cwd, "javascript", reader);
    if ((await infoOf(pathIn(cwd, value)))?.isDirectory()) continue;
    for (const name of names) reader.programs.files.add(name);
  }
}
