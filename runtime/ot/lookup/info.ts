/** Arguments that the lookups of the `ot` pack share: a level and a pattern. */

export const INFO_LEVELS = ["list", "min", "full"] as const;
/** Level of detail: the name, a line, everything. */
export type Info = (typeof INFO_LEVELS)[number];

/** The level that arguments name. */
export function infoOf(value: unknown): Info {
  return INFO_LEVELS.find((level) => level === value) ?? "min";
}

/** Returns true if a text contains the pattern, ignoring case, or if there is no pattern. */
export function matches(pattern: unknown, ...texts: readonly string[]): boolean {
  if (typeof pattern !== "string") return true;
  const part = pattern.toLowerCase();
  return texts.some((text) => text.toLowerCase().includes(part));
}
