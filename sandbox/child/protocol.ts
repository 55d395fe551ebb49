/** What a gateway and the loader in its sandbox process say to each other. */

/** First line on the loader's stdin: the program that this process is for. */
export interface HandOver {
  /** Path of the module below `program/`. */
  readonly entry: string;
  /** The entry itself, when it is a function; otherwise it is fetched. */
  readonly text?: string;
  readonly cwd: string;
  readonly args: readonly string[];
  /** Opens every control word in stdout and stderr; the program never learns it. */
  readonly nonce: string;
  /** Whether there is input to ask for. */
  readonly stdin: boolean;
  /** Bytes that the encoded value may have. */
  readonly outputBytes: number;
  /** Whether the entry may be imported before the word to begin: importing it runs nothing. */
  readonly early: boolean;
}

/** Second line on the loader's stdin: begin. */
export const GO = "go";

/** Control words among the output: the program is loaded, wants its input, ends itself, has written
 * its last to this stream, or gave what it had to give, which is the last on stdout too. */
export type Word =
  | "loaded"
  | "stdin"
  | `exit ${number}`
  | "end"
  | `value ${string}`
  | `report ${string}`;

/** Characters in a control word. What is longer is posted. */
export const LONGEST_WORD = 8192;

/** The bytes that carry a control word: no word holds a NUL. */
export function control(nonce: string, word: Word): string {
  return `\0${nonce}${word}\0`;
}

/** What the loader posts to `report` when a program ended without a value. */
export type Report =
  | { readonly kind: "nothing"; readonly explicit: boolean }
  | { readonly kind: "output_limit" }
  | { readonly kind: "memory_limit" }
  | { readonly kind: "blocked"; readonly specifier: string; readonly stack: string }
  | {
    readonly kind: "thrown";
    readonly name: string;
    readonly message: string;
    readonly stack: string;
    readonly tool?: {
      readonly code: string;
      readonly tool?: string;
      readonly retryable: boolean;
      /** A JSON object, encoded. */
      readonly details: string;
    };
  };
