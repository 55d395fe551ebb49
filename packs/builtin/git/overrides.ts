/** Settings that go before those of a repository, where these start programs or read other files. */

import { type ByteText, exactOf, fieldsOf } from "./bytes.ts";
import { failed } from "./failed.ts";

/** Names alone: a long value takes no room. */
export const SETTINGS = ["config", "--list", "--show-scope", "--name-only", "-z"];

/** Limit of filters: each takes variables in git's environment. */
const MAX_FILTERS = 1_000;
type Setting = readonly [key: string, value: string];

/** Overrides for an answer to `SETTINGS`. Throws `PackError` where a filter cannot be named. */
export function overridesOf(listed: Uint8Array): Setting[] {
  const keys = fieldsOf(listed).filter((_, at) => at % 2 === 1);
  return withoutFilters(keys);
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
