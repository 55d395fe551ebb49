/** Protocol between the gateway and a sandbox process: lines and frames on stdin, control words in the
 * output. The first line is the nonce that opens every control word. The second line is the loader,
 * as JSON; it is sent when the process requests it. */

/** Value of the second line's script. */
export type Loader = (started: Started) => void;

export interface Started {
  readonly nonce: string;
  /** Reads the next line of stdin; blocks until it has come. */
  readonly readLine: () => string;
}

/** Third line: the program of this process. Frames follow. */
export interface HandOver {
  /** Address of the entry, as its frames have it. */
  readonly address: string;
  /** The entry itself, when it is a function; otherwise it is fetched. */
  readonly text?: string;
  readonly cwd: string;
  readonly args: readonly string[];
  /** True when the run has input. */
  readonly stdin: boolean;
  /** True when the program may block while it reads its input: then only the input may come over the
   * pipe. */
  readonly blocks: boolean;
  /** True where each call tells its place in the entry. */
  readonly traced: boolean;
  /** Bytes that the encoded value may have. */
  readonly outputBytes: number;
}

/** Control words in the output. */
export type Word =
  /** Request for the loader. */
  | "loader"
  /** The loader waits for a program. */
  | "ready"
  /** Request for the input. */
  | "stdin"
  /** Call of a tool: id of the reply with the place of the call, which may be empty, the tool's name as
   * in an address, and its arguments as JSON. */
  | `call ${string}@${string} ${string} ${string}`
  /** The program has looked at a stand-in. */
  | "used"
  /** The program called `Deno.exit`. */
  | `exit ${number}`
  /** End of the program's output on this stream. */
  | "end"
  /** End of stderr, which the program never used. */
  | "silent"
  /** End of the program, and of stdout. */
  | `value ${string}`
  | `report ${string}`;

/** Maximum length of a control word. Longer ones go over a connection. */
export const LONGEST_WORD = 4_194_304;

/** Status of the answer to a call whose result is a stand-in. */
export const STAND_IN = 203;

/** Maximum length of a tool's name, as in an address. A call with a longer one uses a connection. */
export const LONGEST_NAME = 3_000;

/** Encodes a control word. No word holds a NUL or a newline: a newline would divide the write. */
export function control(nonce: string, word: Word): string {
  return `\0${nonce}${word}\0`;
}

/** Report of the loader on a program that ended without a value. */
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
