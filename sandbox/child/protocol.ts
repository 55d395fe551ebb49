/** What a gateway and its sandbox process say to each other: lines and frames on stdin, words in the
 * output. The first line is the nonce that opens every word and that no program learns, the second
 * the loader, as JSON, once the process asks for it. */

/** What the second line's script gives. */
export type Loader = (started: Started) => void;

export interface Started {
  readonly nonce: string;
  /** The next line of stdin; blocks until it has come. */
  readonly readLine: () => string;
}

/** Third line: the program that this process is for. What follows are frames. */
export interface HandOver {
  /** Path of the module below `program/`. */
  readonly entry: string;
  /** The entry itself, when it is a function; otherwise it is fetched. */
  readonly text?: string;
  readonly cwd: string;
  readonly args: readonly string[];
  /** Whether there is input to ask for. */
  readonly stdin: boolean;
  /** Whether the program may read its input with everything else at a halt: then nothing but the
   * input may come over the pipe. */
  readonly blocks: boolean;
  /** Bytes that the encoded value may have. */
  readonly outputBytes: number;
}

/** Control words among the output: the process wants its loader, the loader waits for a program, the
 * program wants its input, calls a tool, ends itself, has written its last to this stream, never had
 * anything to do with stderr, or gave what it had to give, which is the last on stdout too. */
export type Word =
  | "loader"
  | "ready"
  | "stdin"
  /** A number for the reply, the tool's name as in an address, and its arguments as JSON. */
  | `call ${string} ${string} ${string}`
  | `exit ${number}`
  | "end"
  | "silent"
  | `value ${string}`
  | `report ${string}`;

/** Characters in a control word. What is longer goes over a connection. */
export const LONGEST_WORD = 4_194_304;

/** Characters in a tool's name, as in an address; with more of them a call goes over a connection. */
export const LONGEST_NAME = 3_000;

/** The bytes that carry a control word. No word holds a NUL, and none a newline: what comes after
 * one would be written by itself. */
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
