/** JMESPath whose functions make texts of bounded size: their sizes are known before, and one text of
 * some hundred megabytes would end the process. */

import { search, TreeInterpreter } from "@jmespath-community/jmespath";
import { sizeAsJson } from "#base";
import { JobRefused } from "../../kit/job_protocol.ts";

/** Characters that the functions of one query may make. */
const MOST_MADE = 2 ** 25;

/** Arguments, whose types the library has checked. */
// deno-lint-ignore no-explicit-any
type Arguments = readonly any[];

/** Characters that a call makes, at most, of the functions that give more than they take. */
const SIZES: Readonly<Record<string, (args: Arguments) => number>> = {
  join: ([glue, texts]) =>
    texts.reduce((sum: number, text: string) => sum + text.length + glue.length, 0),
  pad_left: ([, width]) => width,
  pad_right: ([, width]) => width,
  replace: ([text, part, by, count]) =>
    // The library makes a list of as many as are to be replaced.
    count ? text.length + count * Math.max(1, by.length) : replacedSize(text, part, by),
  to_string: ([value]) => typeof value === "string" ? 0 : sizeAsJson(value, MOST_MADE),
};

let room = MOST_MADE;
const functions = TreeInterpreter.runtime._functionTable;

for (const [name, sizeOf] of Object.entries(SIZES)) {
  const own = functions[name];
  if (!own) continue;
  functions[name] = {
    ...own,
    _func(args: Arguments) {
      room -= sizeOf(args);
      if (room < 0) {
        throw new JobRefused(`${name}() makes more than ${MOST_MADE} characters: give it less`);
      }
      return own._func(name === "replace" ? literal(args) : args);
    },
  };
}

/** Searches a value by JMESPath. Throws `JobRefused`, and other errors for an invalid query. */
export function searchBounded(value: unknown, query: string): unknown {
  room = MOST_MADE;
  return search(value as never, query);
}

function replacedSize(text: string, part: string, by: string): number {
  let size = text.length;
  let at = text.indexOf(part);
  while (at >= 0 && at < text.length && size <= MOST_MADE) {
    size += by.length - part.length;
    at = text.indexOf(part, at + (part.length || 1));
  }
  return size;
}

/** With a count, the library reads `$&` and the like in what it inserts, else as they stand. */
function literal([text, part, by, count]: Arguments): Arguments {
  return count ? [text, part, by.replaceAll("$", "$$$$"), count] : [text, part, by];
}
