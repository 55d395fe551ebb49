/** Types of findings. */

export type Level = "ok" | "warning" | "failed";

/** One line of the report. */
export interface Finding {
  /** Subject of the check: `config`, `server github`. */
  readonly check: string;
  readonly level: Level;
  readonly message: string;
  /** Sentence that says how to fix it. */
  readonly fix?: string;
}

/** Builds the finding of a check that passed. */
export function good(check: string, message: string): Finding {
  return { check, level: "ok", message };
}

/** Builds the finding of something that works but deserves attention. */
export function worth(check: string, message: string, fix?: string): Finding {
  return { check, level: "warning", message, fix };
}

/** Builds the finding of a check that failed. */
export function bad(check: string, message: string, fix?: string): Finding {
  return { check, level: "failed", message, fix };
}
