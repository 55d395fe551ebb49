/** What a check finds. */

export type Level = "ok" | "warning" | "failed";

/** One line of the report (INTERFACE, *Command line*: `doctor`). */
export interface Finding {
  /** What was looked at: `config`, `server github`. */
  readonly check: string;
  readonly level: Level;
  readonly message: string;
  /** The way out, in a sentence. */
  readonly fix?: string;
}

/** What is well. */
export function good(check: string, message: string): Finding {
  return { check, level: "ok", message };
}

/** What works, and yet should be looked at. */
export function worth(check: string, message: string, fix?: string): Finding {
  return { check, level: "warning", message, fix };
}

/** What is needed and does not work. */
export function bad(check: string, message: string, fix?: string): Finding {
  return { check, level: "failed", message, fix };
}
