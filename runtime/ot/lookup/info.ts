/** Arguments that the lookups of the `ot` pack share: a level and a pattern. */

export const INFO_LEVELS = ["list", "min", "full"] as const;
/** How much is told of each thing: its name, a line, everything. */
export type Info = (typeof INFO_LEVELS)[number];

/** The level that arguments name. */
export function infoOf(value: unknown): Info {
  return INFO_LEVELS.find((level) => level === value) ?? "min";
}

/** Whether a text holds a pattern, whatever the case; without a pattern all do. */
export function matches(pattern: unknown, ...texts: readonly string[]): boolean {
  if (typeof pattern !== "string") return true;
  const wanted = pattern.toLowerCase();
  return texts.some((text) => text.toLowerCase().includes(wanted));
}
