/** Short ways to write the rules of a key. */

/** A text. */
export function text(about: string) {
  return { kind: "text", about } as const;
}
/** True or false. */
export function flag(about: string) {
  return { kind: "flag", about } as const;
}
/** A list of texts. */
export function texts(about: string) {
  return { kind: "list", about, items: text("One of them") } as const;
}
/** Whatever is written. */
export function any(about: string) {
  return { kind: "any", about } as const;
}
/** A duration, fractions allowed. */
export function seconds(about: string, min = 0) {
  return { kind: "number", about, min, max: 31_536_000 } as const;
}
/** A whole number. */
export function count(about: string, min = 1, max = 1_000_000_000) {
  return { kind: "number", about, min, max, whole: true } as const;
}
/** A size, fractions allowed. */
export function amount(about: string, max = 1_048_576) {
  return { kind: "number", about, min: 0.001, max } as const;
}
