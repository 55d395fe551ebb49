/** Messages between a search and its worker, and the limit for both. */

/** Characters of a regular expression: what the engine makes of one grows with their square, and nothing
 * ends it meanwhile. */
export const LONGEST_PATTERN = 1_000;

/** Which of some lines are wanted. */
export interface LineSelection {
  /** 1-based. */
  readonly offset: number;
  readonly limit: number;
  /** Number of last lines, in place of a page. */
  readonly tail?: number;
  /** Bytes for the lines in the reply: lines that cannot fit are left out, as is the end of a
   * line. */
  readonly room: number;
}

export interface SearchRequest extends LineSelection {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** A JSON path: what it selects stands in place of the text. */
  readonly path?: string;
  /** A regular expression, or with `fuzzy` words: only lines that match. */
  readonly search?: string;
  readonly fuzzy: boolean;
  /** Lines around each that matches a regular expression. */
  readonly context: number;
}

/** Lines that were asked for, the place of the first, and whether there are further ones. */
export interface LinePage {
  readonly lines: readonly string[];
  readonly first: number;
  readonly more: boolean;
}

export type SearchAnswer =
  | { readonly kind: "found"; readonly page: LinePage }
  /** The path is invalid, or the text is not JSON. */
  | { readonly kind: "refused"; readonly reason: string };
