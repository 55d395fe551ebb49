/** Words about calls that must be confirmed where no person can be asked. */

import { shorten } from "#base";

/** Way out for the person who may change the configuration. */
export function stopAsking(pattern?: string): string {
  return pattern?.startsWith("security.rules[")
    ? "change that rule in the config"
    : "take the pattern out of security.ask in the config";
}

const LONGEST_REASON = 300;

/** Reason of the configuration, as the end of a clause. */
export function reasonText(because: string | undefined): string {
  return because === undefined ? "" : `, since ${shorten(because, LONGEST_REASON)}`;
}

export interface UnconfirmedOptions {
  readonly need?: string;
  readonly because?: string | undefined;
}

/** State of what must be confirmed where no person can be asked, for an error's message. */
export function unconfirmedState(
  patterns: readonly string[],
  { need = "it needs confirmation", because }: UnconfirmedOptions = {},
): string {
  const quoted = patterns.map((pattern) => `'${pattern}'`).join(", ");
  const matches = quoted === "" ? "" : ` (matches ${quoted})`;
  return `${need}${matches}${reasonText(because)} and no person can be asked here`;
}
