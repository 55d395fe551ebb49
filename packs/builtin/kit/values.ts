/** Checks of values of unknown type, and unique names. */

/** The object, or an empty one. */
export function asRecord(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? value as Record<string, unknown>
    : {};
}

/** The text; undefined for an empty one and for other types. */
export function asText(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** The list, or an empty one. */
export function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Numbers repeated names: `id`, `id_2`, `id_3`. */
export function uniqueNames(names: readonly string[]): string[] {
  /** Number that the next column of a name tries. */
  const next = new Map<string, number>();
  return names.map((name) => {
    let own = name;
    let count = next.get(name) ?? 1;
    for (; next.has(own); count++) own = `${name}_${count + 1}`;
    next.set(name, count);
    if (own !== name) next.set(own, 1);
    return own;
  });
}
