/** What is said between a search and its worker. */

export interface SearchRequest {
  readonly text: string;
  readonly search: string;
  readonly fuzzy: boolean;
  /** 1-based, among the lines that match. */
  readonly offset: number;
  readonly limit: number;
}

/** Lines that were asked for, and whether there are further ones. */
export interface Found {
  readonly lines: readonly string[];
  readonly more: boolean;
}
