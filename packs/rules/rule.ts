/** Rules for the values of a configuration: the check, the types, the published JSON Schema and the
 * tables in the docs are all made from them. */

import type { JsonValue } from "#base";

/** Facts that a value in use may depend on. */
export interface RuleContext {
  /** Folder that relative paths belong to, absolute. */
  readonly project: string;
  readonly home: string;
  /** Processors of this machine. */
  readonly cores: number;
}

/** Units in which numbers are written: the end of a key's name that the name of the value in use
 * does without, the end that it gets instead, and the factor. */
export const UNITS = {
  seconds: { suffix: "", used: "Ms", factor: 1000 },
  days: { suffix: "_days", used: "Ms", factor: 86_400_000 },
  processor_seconds: { suffix: "", used: "Seconds", factor: 1 },
  megabytes: { suffix: "_mb", used: "Bytes", factor: 1_048_576 },
  kilobytes: { suffix: "_kb", used: "Bytes", factor: 1024 },
  bytes: { suffix: "_size", used: "Bytes", factor: 1 },
  thousand_characters: { suffix: "_kb", used: "Chars", factor: 1000 },
} as const;
export type Unit = keyof typeof UNITS;

interface Described<T = never> {
  readonly about: string;
  /** Value of a key that is not written, as it would be written. */
  readonly default?: T;
  /** Page below `docs/` that says more, with its anchor. */
  readonly see?: string;
  /** Taken as written: `${…}` in it is no reference. */
  readonly verbatim?: boolean;
}

/** Text; a number, `true` or `false` is taken as it was written. */
export interface TextRule extends Described<string> {
  readonly kind: "text";
  /** Most characters; any number without it. */
  readonly longest?: number;
  /** Makes the value in use of the text. */
  readonly use?: (text: string, context: RuleContext) => unknown;
}
export interface NumberRule extends Described<number> {
  readonly kind: "number";
  readonly min: number;
  readonly max: number;
  readonly whole?: boolean;
  readonly unit?: Unit;
  /** Number that `auto` stands for; it is the default then. */
  readonly auto?: (context: RuleContext) => number;
}
export interface FlagRule extends Described<boolean | "auto"> {
  readonly kind: "flag";
  /** True where `auto` may be written as well. */
  readonly auto?: boolean;
}
export interface ChoiceRule extends Described<string> {
  readonly kind: "choice";
  readonly of: readonly string[];
}
/** A list; empty where it is not written and has no default. */
export interface ListRule extends Described<readonly string[]> {
  readonly kind: "list";
  readonly items: Rule;
  /** Most items; any number without it. */
  readonly most?: number;
}
/** A map whose keys the user chooses. */
export interface MapRule extends Described {
  readonly kind: "map";
  readonly values: Rule;
  /** Pattern of a key, and its description for a person. */
  readonly keys?: { readonly pattern: string; readonly say: string };
}
/** A map of known keys; others follow `rest`, or are warned about. */
export interface ObjectRule extends Described {
  readonly kind: "object";
  readonly keys: { readonly [key: string]: Rule };
  readonly rest?: Rule;
  /** Key that a plain text in place of the map stands for. */
  readonly short?: string;
}
/** The first that fits the shape of a value. */
export interface EitherRule extends Described {
  readonly kind: "either";
  readonly of: readonly Rule[];
}
export interface AnyRule extends Described {
  readonly kind: "any";
}

export type Rule =
  | TextRule
  | NumberRule
  | FlagRule
  | ChoiceRule
  | ListRule
  | MapRule
  | ObjectRule
  | EitherRule
  | AnyRule;

type Camel<S extends string> = S extends `${infer A}_${infer B}` ? `${A}${Capitalize<Camel<B>>}`
  : S;
type Stem<S extends string, End extends string> = S extends `${infer A}${End}` ? A : S;

/** Name of a key's value in use: `max_file_mb` in megabytes is `maxFileBytes`. */
export type SettingName<K extends string, R> = R extends { unit: infer U extends Unit }
  ? `${Camel<Stem<K, (typeof UNITS)[U]["suffix"]>>}${(typeof UNITS)[U]["used"]}`
  : Camel<K>;

/** Rules whose value is there although it is not written. */
type Filled =
  | { readonly default: NonNullable<unknown> }
  | { readonly auto: NonNullable<unknown> }
  | { readonly kind: "list" | "map" | "object" };

type Keys = { readonly [key: string]: Rule };
type Flat<T> = { readonly [P in keyof T]: T[P] };
type ObjectSettings<K extends Keys> =
  & {
    [P in keyof K & string as K[P] extends Filled ? SettingName<P, K[P]> : never]: Settings<K[P]>;
  }
  & {
    [P in keyof K & string as K[P] extends Filled ? never : SettingName<P, K[P]>]?: Settings<K[P]>;
  };

/** Type of the value that a rule makes of what is written, defaults filled in. */
export type Settings<R extends Rule> = R extends
  { kind: "text"; use: (...args: never[]) => infer U } ? U
  : R extends { kind: "text" } ? string
  : R extends { kind: "number" } ? number
  : R extends { kind: "flag"; auto: true } ? boolean | "auto"
  : R extends { kind: "flag" } ? boolean
  : R extends { kind: "choice"; of: readonly (infer C)[] } ? C
  : R extends { kind: "list"; items: infer I extends Rule } ? readonly Settings<I>[]
  : R extends { kind: "map"; values: infer V extends Rule } ? Readonly<Record<string, Settings<V>>>
  : R extends { kind: "object"; keys: infer K extends Keys; rest: infer V extends Rule }
    ? Flat<ObjectSettings<K> & { extensions: Readonly<Record<string, Settings<V>>> }>
  : R extends { kind: "object"; keys: infer K extends Keys } ? Flat<ObjectSettings<K>>
  : R extends { kind: "either"; of: readonly (infer E extends Rule)[] } ? Settings<E>
  : JsonValue;
