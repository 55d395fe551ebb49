/** Settings that go before those of a repository, where these start programs or read other files. */

import { pathIn } from "../../closed/link_names.ts";
import type { Folders } from "../kit/mod.ts";
import { type ByteText, exactOf, fieldsOf } from "./bytes.ts";
import type { GitAnswer } from "./process.ts";
import { failed } from "./failed.ts";

/** Names alone: a long value takes no room. */
export const SETTINGS = ["config", "--list", "--show-scope", "--name-only", "-z"];

/** Limit of filters: each takes variables in git's environment. */
const MAX_FILTERS = 1_000;
/** Settings with a file of patterns. From what git leaves out, a caller could tell whether a file
 * holds a line. */
const LISTS = ["core.excludesfile", "core.attributesfile"];
/** Scopes that are not the repository's. */
const OWN = new Set(["system", "global", "command"]);

type Setting = readonly [key: string, value: string];

export interface OverrideDeps {
  readonly folders: Folders;
  readonly root: string;
  /** Runs git in the repository, whatever its end. */
  readonly ask: (args: readonly string[]) => Promise<GitAnswer>;
}

/** Overrides for an answer to `SETTINGS`. Throws `PackError` where a filter cannot be named. */
export async function overridesOf(
  listed: Uint8Array,
  { folders, root, ask }: OverrideDeps,
): Promise<Setting[]> {
  const fields = fieldsOf(listed);
  const keys = fields.filter((_, at) => at % 2 === 1);
  const named = LISTS.filter((list) =>
    keys.some((key, at) => key === list && !OWN.has(fields[2 * at] ?? ""))
  );
  const lists = await Promise.all(named.map(async (key): Promise<Setting[]> => {
    const { code, bytes } = await ask(["config", "--get", "--type=path", "-z", key]);
    const file = code === 0 ? exactOf(fieldsOf(bytes)[0] ?? "") : undefined;
    const isOpen = file !== undefined && await isAllowed(pathIn(root, file), folders);
    return isOpen ? [] : [[key, "/dev/null"]];
  }));
  return [...withoutFilters(keys), ...lists.flat()];
}

async function isAllowed(path: string, folders: Folders): Promise<boolean> {
  return await folders.existing(path, "use").then(() => true, () => false);
}

/** Configuration that disables filters, which are programs that git starts for files. A filter may
 * have an empty name. */
function withoutFilters(keys: readonly ByteText[]): Setting[] {
  const without = [...new Set(keys)].flatMap((key): Setting[] => {
    if (/^filter\..*\.(?:clean|smudge|process)$/s.test(key)) return [[nameOf(key), ""]];
    return /^filter\..*\.required$/s.test(key) ? [[nameOf(key), "false"]] : [];
  });
  // A filter beyond the limit would be started.
  if (without.length > MAX_FILTERS) throw failed("its configuration names too many filters");
  return without;
}

/** Throws for a key that is no UTF-8: no variable of the environment can name it. */
function nameOf(key: ByteText): string {
  const name = exactOf(key);
  if (name !== undefined) return name;
  const fix = "rename it in .git/config, or the file that it includes";
  throw failed(`its configuration has a filter whose name is no UTF-8: ${fix}`);
}
