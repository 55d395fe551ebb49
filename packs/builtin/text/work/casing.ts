/** Cases of names, and slugs. */

import slugify from "@sindresorhus/slugify";
import * as cases from "change-case";

const CASES = {
  camel: cases.camelCase,
  pascal: cases.pascalCase,
  snake: cases.snakeCase,
  constant: cases.constantCase,
  kebab: cases.kebabCase,
  dot: cases.dotCase,
  path: cases.pathCase,
  train: cases.trainCase,
  sentence: cases.sentenceCase,
  title: cases.capitalCase,
  words: cases.noCase,
} as const;

/** Changes the case of a name: `fooBar` to `foo_bar`. */
export function recase(
  { text, to }: { readonly text: string; readonly to: keyof typeof CASES },
): string {
  return CASES[to](text);
}

/** Makes a text part of a URL: `Ärger über Straße` becomes `aerger-ueber-strasse`. */
export function slug(
  { text, separator, lowercase, max }: {
    readonly text: string;
    readonly separator: string;
    readonly lowercase: boolean;
    readonly max: number | undefined;
  },
): string {
  const whole = slugify(text, { separator, lowercase });
  if (max === undefined || whole.length <= max) return whole;
  const cut = whole.slice(0, max);
  const word = separator === "" ? -1 : cut.lastIndexOf(separator);
  const ends = whole.startsWith(separator, max);
  return ends || word <= 0 ? cut : cut.slice(0, word);
}
