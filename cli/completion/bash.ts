/** Completion in bash. */

import type { Places } from "./places.ts";
import { choose, quote, readWords } from "./posix.ts";

/** Script for `source <(toolscript completion bash)`. */
export function bashScript(places: Places): string {
  return [
    "_toolscript() {",
    '  local current="${COMP_WORDS[COMP_CWORD]}" candidates=',
    ...readWords(places, "COMP_WORDS", "1; i < COMP_CWORD"),
    "  COMPREPLY=()",
    '  case "${COMP_WORDS[COMP_CWORD - 1]}" in',
    `    ${places.withValue.map(quote).join("|")}) return ;;`,
    "  esac",
    ...choose(
      places.all,
      ({ words }) => `candidates=${quote(words.map(({ text }) => text).join(" "))}`,
    ),
    '  COMPREPLY=($(compgen -W "$candidates" -- "$current"))',
    "}",
    "complete -o default -F _toolscript toolscript",
    "",
  ].join("\n");
}
