/** Bounds of one process's share of the gateway's memory and time. */

const MEGABYTE = 1_048_576;
/** Bytes of a disk that a module takes at least beside its address, and its headers. */
const LEAST_FILE = 8_192;
/** Bytes of the longest address that Deno's client takes, with each character escaped, as it stands in
 * the file. */
const LONGEST_ADDRESS = 2 * 65_536;

const BOUNDS = {
  /** Requests open at once; the process may open no more files either. */
  requests: {
    most: 256,
    reason: "It opened more requests than the gateway takes at once: await them, a few at a time",
  },
  /** Bytes of calls that wait for their answer. */
  sent: {
    most: 64 * MEGABYTE,
    reason: "It sent more than the gateway keeps at once: await the calls, a few at a time",
  },
  /** Bytes of answers and input that the program has not read yet. */
  unread: {
    most: 256 * MEGABYTE,
    reason: "It called tools for more than it reads: await the calls, a few at a time",
  },
  /** Bytes of modules that it was served, each with a file's share of a disk: Deno keeps them. */
  modules: {
    most: 32 * MEGABYTE,
    reason: "It loaded more modules than a program has: import each once",
  },
  /** Control words other than calls: a loader writes six. */
  words: { most: 64, reason: "It wrote more control words than a program has" },
} as const satisfies Record<string, { readonly most: number; readonly reason: string }>;

export type Bound = keyof typeof BOUNDS;

export class Budget {
  readonly #reserved: Record<Bound, number> = {
    requests: 0,
    sent: 0,
    unread: 0,
    modules: 0,
    words: 0,
  };
  readonly #served = new Set<string>();
  readonly #onOverrun: (reason: string) => void;

  /** `onOverrun` gets the reason for which the process must end. */
  constructor(onOverrun: (reason: string) => void) {
    this.#onOverrun = onOverrun;
  }

  /** Reserves `amount`; reserves nothing and reports an overrun when that is too much. One body alone
   * is never too much: it has a limit of its own. */
  reserve(bound: Bound, amount: number): boolean {
    const reserved = this.#reserved[bound];
    const isAlone = bound === "sent" && reserved === 0;
    if (!isAlone && reserved + amount > BOUNDS[bound].most) {
      this.#onOverrun(BOUNDS[bound].reason);
      return false;
    }
    this.#reserved[bound] = reserved + amount;
    return true;
  }

  /** Reserves a module of so many bytes. One of the program's counts with its address the first time, as
   * it is written; all others with the longest, since the part behind `#` is not sent. */
  reserveModule(bytes: number, address?: string): boolean {
    const isFirst = address !== undefined && !/[?%]/.test(address) && !this.#served.has(address);
    if (isFirst) this.#served.add(address);
    const length = isFirst ? address.length : LONGEST_ADDRESS;
    return this.reserve("modules", bytes + LEAST_FILE + length);
  }

  release(bound: Bound, amount: number): void {
    this.#reserved[bound] -= amount;
  }
}
