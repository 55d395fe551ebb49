/** Text put into one line of a module: `length` characters before the author's `column`. */
export interface Shift {
  readonly line: number;
  readonly column: number;
  readonly length: number;
}
