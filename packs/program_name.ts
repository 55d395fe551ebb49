/** Names of the programs in a command. */

import { basename } from "node:path";

/** Programs that start the program after them. */
const STARTERS = new Set(["env", "corepack", "cmd", "mise", "volta", "nice", "exec"]);
/** Further ones, behind which a program may stand anywhere. */
const WRAPPERS = new Set(
  ("nohup timeout time stdbuf setsid ionice chrt taskset sudo doas su-exec gosu xvfb-run dotenv " +
    "direnv op doppler infisical aws-vault flox devbox unbuffer script caffeinate arch rlwrap " +
    "tini dumb-init firejail bwrap unshare chroot xargs watch").split(" "),
);

/** Name of the program that a command starts, and the number of words before it. */
export function programOf(words: readonly string[]): readonly [name: string, at: number] {
  const name = nameOf(words[0] ?? "");
  if (!STARTERS.has(name)) return [name, 0];
  const next = words.findIndex((word, at) => at > 0 && !/^(?:[-/]|\w+=|exec$|run$|x$)/.test(word));
  if (next < 0) return [name, 0];
  const [inner, at] = programOf(words.slice(next));
  return [inner, next + at];
}

/** Returns true for a program that starts one of the words after it. */
export function startsAnother(word: string): boolean {
  const name = nameOf(word);
  return STARTERS.has(name) || WRAPPERS.has(name);
}

/** Name of a program, without its folder and ending. */
export function nameOf(word: string): string {
  return basename(word.replaceAll("\\", "/")).toLowerCase().replace(
    /\.(?:cmd|exe|ps1|bat|phar)$/,
    "",
  );
}
