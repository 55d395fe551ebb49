/** Takes secrets out of what is logged and traced. */

import { clip } from "./clip.ts";

export interface Redactor {
  /** Values that are never shown from now on, in any encoding that a message may have them in. */
  conceal(values: Iterable<string>): void;
  text(text: string): string;
  /** Facts as scalars: what is nested becomes JSON text. */
  facts(facts: Readonly<Record<string, unknown>>): Record<string, Scalar>;
}

export type Scalar = string | number | boolean | null;

const REDACTED = "[redacted]";
/** A shorter value would take ordinary words out of every message. */
const SHORTEST = 4;
const SHORTEST_LINE = 16;
/** What is looked through; a text that is shown is far shorter. */
const LONGEST = 65_536;
const SECRET_NAME =
  /passw|secret|token|api_?-?key|private_?-?key|authori[sz]ation|cookie|credential/i;

/** What is a secret whatever its value: the group before it stays. */
const SHAPES: readonly RegExp[] = [
  /\b((?:Bearer|Basic)\s+)[\w.~+/=-]{6,}/gi,
  /(\/r\/)[\w-]{20,}/g,
  /([?&;](?:\w*token|\w*key|auth|secret|password|sig|signature|code)=)[^&\s"'#;]+/gi,
  /(:\/\/)[^/\s:@"']{1,256}:[^/\s@"']{1,256}(?=@)/g,
  /(\b)(?:gh[oprsu]_|github_pat_|sk-|xox[abeprs]-|glpat-|npm_|AKIA)[\w-]{12,}/g,
  /(\b)eyJ[\w-]{8,200}\.[\w-]{8,}\.[\w-]+/g,
];

/** Builds the redactor over the values that are known. */
export function createRedactor(values: Iterable<string> = []): Redactor {
  const known = new Set<string>();
  let pattern: RegExp | undefined;

  function conceal(more: Iterable<string>): void {
    for (const value of more) for (const form of formsOf(value)) known.add(form);
    const longestFirst = [...known].sort((a, b) => b.length - a.length);
    pattern = known.size === 0
      ? undefined
      : new RegExp(longestFirst.map(RegExp.escape).join("|"), "g");
  }

  function text(given: string): string {
    let shown = given.length > LONGEST ? given.slice(0, LONGEST) : given;
    if (pattern) shown = shown.replace(pattern, REDACTED);
    for (const shape of SHAPES) shown = shown.replace(shape, `$1${REDACTED}`);
    return clip(shown);
  }

  function scalar(name: string, value: unknown): Scalar {
    if (value === null || typeof value === "number" || typeof value === "boolean") return value;
    if (SECRET_NAME.test(name)) return REDACTED;
    if (typeof value === "string") return text(value);
    if (value instanceof Error) return text(value.stack ?? String(value));
    return text(asJson(value));
  }

  conceal(values);
  return {
    conceal,
    text,
    facts: (facts) =>
      Object.fromEntries(
        Object.entries(facts).flatMap(([name, value]) =>
          value === undefined ? [] : [[name, scalar(name, value)]]
        ),
      ),
  };
}

/** A value as it stands, and as it stands in JSON and in an address. */
function formsOf(value: string): readonly string[] {
  const whole = value.trim();
  if (whole.length < SHORTEST) return [];
  const lines = whole.split("\n").map((line) => line.trim());
  const long = lines.length > 1 ? lines.filter(({ length }) => length >= SHORTEST_LINE) : [];
  return [whole, ...long].flatMap((form) => [
    form,
    JSON.stringify(form).slice(1, -1),
    encodeURIComponent(form.toWellFormed()),
  ]);
}

function asJson(value: unknown): string {
  try {
    return JSON.stringify(value) ?? String(value);
  } catch {
    // It refers to itself, or holds what JSON lacks.
    return "[object]";
  }
}
