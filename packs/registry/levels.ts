/** Levels of the policy, and what it decides. */

/** Lists that restrict, strictest first, with their effect on the names that they match. */
export const LEVELS = { blocked: "refuse", ask: "ask", warned: "warn" } as const;
export type Level = keyof typeof LEVELS;
export const LEVEL_NAMES = Object.keys(LEVELS) as readonly Level[];

export interface PolicyDecision {
  readonly level: Level | "allowed";
  /** The pattern that decided; absent when none did. */
  readonly pattern?: string;
  /** The rule that decided, by its place in the configuration. */
  readonly rule?: number;
  /** Its reason. */
  readonly because?: string;
}
