/** Patterns of names: `*` stands for any text, `?` for one character, `[ab]` for one of them. */

/** Compiled pattern: matches the whole name, case-sensitive. */
export type NamePattern = (name: string) => boolean;

/** A text stands for itself: an object for each character would take much memory. */
type Part =
  | string
  | { readonly kind: "any" }
  | { readonly kind: "one" }
  | { readonly kind: "set"; readonly ranges: readonly Range[]; readonly negated: boolean };
type Range = readonly [from: string, to: string];

const ANY: Part = { kind: "any" };
const ONE: Part = { kind: "one" };

/** Returns true for a pattern with wildcards. */
export function isWild(pattern: string): boolean {
  return /[*?[]/.test(pattern);
}

/** Compiles a pattern. Matching takes at most the product of both lengths.
 *
 * @example
 * ```ts ignore
 * compileNamePattern("os.exec?")("os.execl"); // true
 * ```
 */
export function compileNamePattern(pattern: string): NamePattern {
  if (!isWild(pattern)) return (name) => name === pattern;
  const parts = readParts([...pattern]);
  return (name) => matches(parts, [...name]);
}

/** Characters of all alternatives of a pattern. */
const MOST_EXPANDED = 100_000;

/** Expands `{a,b}`: one pattern for each alternative; undefined where they are too many.
 *
 * @example
 * ```ts ignore
 * expandBraces("{get,list}_*"); // ["get_*", "list_*"]
 * ```
 */
export function expandBraces(pattern: string): readonly string[] | undefined {
  let all: readonly string[] = [pattern];
  for (;;) {
    const next: string[] = [];
    let size = 0;
    for (const one of all) {
      const { before, after, inside } = firstBraces(one);
      size += inside.length * (before.length + after.length) + one.length;
      if (size > MOST_EXPANDED) return undefined;
      next.push(...inside.map((part) => before + part + after));
    }
    if (next.length === all.length) return next;
    all = next;
  }
}

/** Splits a pattern at the first innermost braces with a comma. */
function firstBraces(pattern: string) {
  for (const { 0: whole, 1: inside = "", index } of pattern.matchAll(/\{([^{}]*)\}/g)) {
    if (!inside.includes(",")) continue;
    const after = pattern.slice(index + whole.length);
    const parts = inside.split(",").map((part) => part.trim());
    return { before: pattern.slice(0, index), after, inside: parts };
  }
  return { before: "", after: "", inside: [pattern] };
}

export type Compile = (pattern: string) => NamePattern;

/** Creates a compiler that compiles each pattern once, however many lists have it. */
export function createCompiler(): Compile {
  const compiled = new Map<string, NamePattern>();
  return (pattern) => {
    const matches = compiled.get(pattern) ?? compileNamePattern(pattern);
    compiled.set(pattern, matches);
    return matches;
  };
}

function readParts(pattern: readonly string[]): Part[] {
  const parts: Part[] = [];
  for (let i = 0; i < pattern.length; i++) {
    const character = pattern[i] ?? "";
    if (character === "*") {
      if (parts.at(-1) !== ANY) parts.push(ANY);
    } else if (character === "?") parts.push(ONE);
    else if (character === "[") {
      const end = endOfSet(pattern, i);
      parts.push(end < 0 ? character : readSet(pattern.slice(i + 1, end)));
      if (end > 0) i = end;
    } else parts.push(character);
  }
  return parts;
}

/** Index of the bracket that closes the set at `start`; a bracket in first place is a member. */
function endOfSet(pattern: readonly string[], start: number): number {
  const first = start + (pattern[start + 1] === "!" ? 2 : 1);
  return pattern.indexOf("]", first + 1);
}

function readSet(inside: readonly string[]): Part {
  const negated = inside[0] === "!";
  const ranges: Range[] = [];
  for (let i = negated ? 1 : 0; i < inside.length; i++) {
    const from = inside[i] ?? "";
    const to = inside[i + 1] === "-" ? inside[i + 2] : undefined;
    ranges.push([from, to ?? from]);
    if (to !== undefined) i += 2;
  }
  return { kind: "set", ranges, negated };
}

/** Backtracks to the last star only, which can take all that an earlier one could. */
function matches(parts: readonly Part[], name: readonly string[]): boolean {
  let part = 0;
  let at = 0;
  let star = -1;
  let resume = 0;
  while (at < name.length) {
    const next = parts[part];
    if (next === ANY) {
      star = part++;
      resume = at;
    } else if (next !== undefined && takes(next, name[at] ?? "")) {
      part++;
      at++;
    } else if (star >= 0) {
      part = star + 1;
      at = ++resume;
    } else return false;
  }
  while (parts[part] === ANY) part++;
  return part === parts.length;
}

function takes(part: Part, character: string): boolean {
  if (typeof part === "string") return part === character;
  switch (part.kind) {
    case "any":
    case "one":
      return true;
    case "set":
      return part.ranges.some(([from, to]) => from <= character && character <= to) !==
        part.negated;
    default:
      return part satisfies never;
  }
}
