/** What the type checker gets of a command, and the way back, as the reader makes them. */

import type { CommandSource } from "../../../runtime/command/types.ts";
import { authorPlace } from "../../../runtime/command/map.ts";

interface Place {
  readonly line: number;
  readonly column: number;
}

export function checkedText(source: CommandSource): string {
  return preludeOf(source) + source.module.text;
}

/** The author's place for one of the text that is checked. */
export function checkedPlace(source: CommandSource, { line, column }: Place): Place {
  const before = line === 1 ? preludeOf(source).length : 0;
  return authorPlace(source.map, { line, column: Math.max(1, column - before) });
}

function preludeOf({ prelude }: CommandSource): string {
  return prelude.imports + prelude.checked;
}
