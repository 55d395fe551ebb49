/** Removal of secrets from logs and traces. */

import { attempt } from "#base";
import { clip } from "./clip.ts";

export interface Redactor {
  /** Adds values to replace from now on, in every encoding that a message may have them in. */
  conceal(values: Iterable<string>): void;
  text(text: string): string;
  /** The same for a text of any length, which is not clipped. */
  whole(text: string): string;
  /** Converts facts to scalars: nested values become JSON text. */
  facts(facts: Readonly<Record<string, unknown>>): Record<string, Scalar>;
}

export type Scalar = string | number | boolean | null;

const REDACTED = "[redacted]";
/** Minimum length of a value: shorter ones would match ordinary words. */
const SHORTEST = 4;
const SHORTEST_LINE = 16;
/** Characters of a text that are searched; its output is clipped to far fewer. */
const LONGEST = 65_536;
const SECRET_NAME =
  /passw|secret|token|api_?-?key|private_?-?key|authori[sz]ation|cookie|credential/i;

/** Patterns of secrets that are recognized by their form; the first group is kept. Words have a
 * bound: without one, a long text overflows the stack of the engine. */
const SHAPES: readonly RegExp[] = [
  /\b((?:Bearer|Basic)\s+)[\w.~+/=-]{6,65536}/gi,
  /(\/r\/)[\w-]{20,65536}/g,
  /([?&;](?:\w*token|\w*key|auth|secret|password|sig|signature|code)=)[^&\s"'#;]+/gi,
  /(:\/\/)[^/\s:@"']{1,256}:[^/\s@"']{1,256}(?=@)/g,
  /(\b)(?:gh[oprsu]_|github_pat_|sk-|xox[abeprs]-|glpat-|npm_|AKIA)[\w-]{12,65536}/g,
];
/** Three parts with dots between them, as a JSON web token has. It begins where no such part could
 * begin before, so that a long text is searched once. */
const PARTS =
  /(?<![\w-])(?=(?:[\w-]{0,65536}-)?eyJ)([\w-]{11,65536})\.[\w-]{8,65536}\.[\w-]{1,65536}/g;
const HEADER = /\beyJ[\w-]{8,200}$/;
const LONGEST_HEADER = 203;

/** Builds a redactor of these values. */
export function createRedactor(values: Iterable<string> = []): Redactor {
  const forms = new Set<string>();
  let pattern: RegExp | undefined;

  function conceal(more: Iterable<string>): void {
    for (const value of more) for (const form of formsOf(value)) forms.add(form);
    const longestFirst = [...forms].sort((a, b) => b.length - a.length);
    pattern = forms.size === 0
      ? undefined
      : new RegExp(longestFirst.map(RegExp.escape).join("|"), "g");
  }

  function whole(original: string): string {
    let redacted = pattern ? original.replace(pattern, REDACTED) : original;
    for (const shape of SHAPES) redacted = redacted.replace(shape, `$1${REDACTED}`);
    return withoutTokens(redacted);
  }

  function text(original: string): string {
    return clip(whole(original.slice(0, LONGEST)));
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
    whole,
    facts: (facts) =>
      Object.fromEntries(
        Object.entries(facts).flatMap(([name, value]) =>
          value === undefined ? [] : [[name, scalar(name, value)]]
        ),
      ),
  };
}

/** Replaces three parts from the beginning of a token in the first one; a token may begin in the
 * second. */
function withoutTokens(text: string): string {
  const parts = new RegExp(PARTS);
  let [result, last] = ["", 0];
  for (let match = parts.exec(text); match; match = parts.exec(text)) {
    const [, first = ""] = match;
    const end = match.index + first.length;
    const from = Math.max(match.index, end - LONGEST_HEADER - 1);
    const at = text.slice(from, end).search(HEADER);
    if (at === -1) parts.lastIndex = end;
    else {
      result += text.slice(last, from + at) + REDACTED;
      last = parts.lastIndex;
    }
  }
  return result + text.slice(last);
}

/** Lists a value as plain text, in JSON and in a URL. */
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
  // A circular reference, or a type that JSON lacks.
  return attempt(() => JSON.stringify(value) ?? String(value), "[object]");
}
