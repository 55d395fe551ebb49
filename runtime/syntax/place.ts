/** Positions in a text. */

/** Line and column, both 1-based. */
export interface Place {
  readonly line: number;
  readonly column: number;
}

/** Text inserted into one line: `length` characters before the author's `column`. */
export interface Shift extends Place {
  readonly length: number;
}
