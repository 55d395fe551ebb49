/** Completion in bash and zsh. */

import { shellQuote } from "../shell.ts";
import type { Place, Places } from "./places.ts";

/** Lines that read the first two words without a minus, from `list` up to the word at `end`. */
function readWords({ withValue }: Places, list: string, range: string): readonly string[] {
  return [
    "  local first= second= word i",
    `  for ((i = ${range}; i++)); do`,
    `    word="\${${list}[i]}"`,
    "    case $word in",
    `      ${withValue.map(shellQuote).join("|")}) ((i++)) ;;`,
    "      -*) ;;",
    "      *) if [[ -z $first ]]; then first=$word; elif [[ -z $second ]]; then second=$word; fi ;;",
    "    esac",
    "  done",
  ];
}

/** Lines that choose by these words; `choose` is the command of a place. */
function choose(all: readonly Place[], command: (place: Place) => string): string[] {
  const branches = all.map((place) => `    ${pattern(place)}) ${command(place)} ;;`);
  return ['  case "$first $second" in', ...branches, "  esac"];
}

function pattern({ after: [first = "", second] }: Place): string {
  if (second !== undefined) return shellQuote(`${first} ${second}`);
  return first === "" ? shellQuote(" ") : `${shellQuote(`${first} `)}*`;
}

/** Script for `source <(toolscript completion bash)`. */
export function bashScript(places: Places): string {
  return [
    "_toolscript() {",
    '  local current="${COMP_WORDS[COMP_CWORD]}" candidates=',
    ...readWords(places, "COMP_WORDS", "1; i < COMP_CWORD"),
    "  COMPREPLY=()",
    '  case "${COMP_WORDS[COMP_CWORD - 1]}" in',
    `    ${places.withValue.map(shellQuote).join("|")}) return ;;`,
    "  esac",
    ...choose(
      places.all,
      ({ words }) => `candidates=${shellQuote(words.map(({ text }) => text).join(" "))}`,
    ),
    '  COMPREPLY=($(compgen -W "$candidates" -- "$current"))',
    "}",
    "complete -o default -F _toolscript toolscript",
    "",
  ].join("\n");
}

/** Script for a file `_toolscript` in a folder of `fpath`, or for `source`. */
export function zshScript(places: Places): string {
  return [
    "#compdef toolscript",
    "_toolscript() {",
    "  local -a candidates",
    ...readWords(places, "words", "2; i < CURRENT"),
    '  case "${words[CURRENT - 1]}" in',
    `    ${places.withValue.map(shellQuote).join("|")}) _files; return ;;`,
    "  esac",
    ...choose(places.all, described),
    "  _describe toolscript candidates || _files",
    "}",
    'if [[ "$funcstack[1]" = _toolscript ]]; then _toolscript "$@"; else compdef _toolscript toolscript; fi',
    "",
  ].join("\n");
}

/** Writes each word of a place with its description behind a colon; a colon within a word is
 * escaped. */
function described({ words }: Place): string {
  const items = words.map(({ text, about }) =>
    shellQuote(`${text.replaceAll(":", "\\:")}:${about}`)
  );
  return `candidates=(${items.join(" ")})`;
}
