/** Completion in fish. */

import type { Place, Places, Word } from "./places.ts";

/** Script for `toolscript completion fish | source`. */
export function fishScript({ all, withValue }: Places): string {
  return [
    "function __toolscript_after",
    "  set -l found",
    "  set -l skip 0",
    "  for word in (commandline -opc)[2..]",
    "    if test $skip = 1",
    "      set skip 0",
    `    else if contains -- $word ${withValue.map(quote).join(" ")}`,
    "      set skip 1",
    "    else if not string match -q -- '-*' $word",
    "      set -a found $word",
    "    end",
    "  end",
    "  set -l wanted (count $argv)",
    "  test $wanted = 0; and test (count $found) = 0; and return 0",
    "  test $wanted != 0; or return 1",
    '  test "$found[1..$wanted]" = "$argv"; or return 1',
    '  test $wanted = 2; or not contains -- "$found[1..2]" $__toolscript_double',
    "end",
    `set -g __toolscript_double ${
      all.filter(({ after }) => after.length === 2).map(({ after }) => quote(after.join(" ")))
        .join(" ")
    }`,
    ...all.flatMap((place) => place.words.map((word) => line(place, word))),
    "",
  ].join("\n");
}

function line({ after }: Place, { text, about, takesValue }: Word): string {
  const condition = quote(["__toolscript_after", ...after].join(" "));
  const what = text.startsWith("--")
    ? `${takesValue ? "-r " : ""}-l ${quote(text.slice(2))}`
    : `-f -a ${quote(text)}`;
  return `complete -c toolscript -n ${condition} ${what} -d ${quote(about)}`;
}

/** Quotes text as one word of fish. */
function quote(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}
