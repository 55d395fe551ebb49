/** Completion in zsh. */

import type { Place, Places } from "./places.ts";
import { choose, quote, readWords } from "./posix.ts";

/** Script for a file `_toolscript` in a folder of `fpath`, or for `source`. */
export function zshScript(places: Places): string {
  return [
    "#compdef toolscript",
    "_toolscript() {",
    "  local -a candidates",
    ...readWords(places, "words", "2; i < CURRENT"),
    '  case "${words[CURRENT - 1]}" in',
    `    ${places.withValue.map(quote).join("|")}) _files; return ;;`,
    "  esac",
    ...choose(places.all, described),
    "  _describe toolscript candidates || _files",
    "}",
    'if [[ "$funcstack[1]" = _toolscript ]]; then _toolscript "$@"; else compdef _toolscript toolscript; fi',
    "",
  ].join("\n");
}

/** A colon divides a word from what it means. */
function described({ words }: Place): string {
  const items = words.map(({ text, about }) => quote(`${text.replaceAll(":", "\\:")}:${about}`));
  return `candidates=(${items.join(" ")})`;
}
