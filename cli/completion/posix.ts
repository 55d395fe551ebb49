/** Parts that the scripts of bash and zsh have in common. */

import type { Place, Places } from "./places.ts";

/** Quotes text as one word of bash or zsh. */
export function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** Lines that read the first two words without a minus, from `list` up to the word at `end`. */
export function readWords({ withValue }: Places, list: string, range: string): readonly string[] {
  return [
    "  local first= second= word i",
    `  for ((i = ${range}; i++)); do`,
    `    word="\${${list}[i]}"`,
    "    case $word in",
    `      ${withValue.map(quote).join("|")}) ((i++)) ;;`,
    "      -*) ;;",
    "      *) if [[ -z $first ]]; then first=$word; elif [[ -z $second ]]; then second=$word; fi ;;",
    "    esac",
    "  done",
  ];
}

/** Lines that choose by these words; `choose` is the command of a place. */
export function choose(all: readonly Place[], command: (place: Place) => string): string[] {
  const branches = all.map((place) => `    ${pattern(place)}) ${command(place)} ;;`);
  return ['  case "$first $second" in', ...branches, "  esac"];
}

function pattern({ after: [first = "", second] }: Place): string {
  if (second !== undefined) return quote(`${first} ${second}`);
  return first === "" ? quote(" ") : `${quote(`${first} `)}*`;
}
