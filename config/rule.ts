/** How one value of a configuration is described: what both the check and the published schema
 * are made from. */

import type { JsonValue } from "#sandbox";

interface Described {
  readonly about: string;
  /** Taken as written: `${…}` in it is no reference. */
  readonly verbatim?: boolean;
}

/** Text; a number, `true` or `false` is taken as it was written. */
export interface TextRule extends Described {
  readonly kind: "text";
}
export interface NumberRule extends Described {
  readonly kind: "number";
  readonly min: number;
  readonly max: number;
  readonly whole?: boolean;
}
export interface FlagRule extends Described {
  readonly kind: "flag";
}
export interface ChoiceRule extends Described {
  readonly kind: "choice";
  readonly of: readonly string[];
}
export interface ListRule extends Described {
  readonly kind: "list";
  readonly items: Rule;
}
/** A map whose keys the user chooses. */
export interface MapRule extends Described {
  readonly kind: "map";
  readonly values: Rule;
  /** What a key must look like, and how that is said. */
  readonly keys?: { readonly pattern: string; readonly say: string };
}
/** A map whose keys are known; others follow `rest`, or are warned about. */
export interface ObjectRule extends Described {
  readonly kind: "object";
  readonly keys: { readonly [key: string]: Rule };
  readonly rest?: Rule;
}
/** The first whose shape fits. */
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

/** The type of what a rule accepts. Every key may be missing: defaults come later. */
export type Infer<R extends Rule> = R extends { kind: "text" } ? string
  : R extends { kind: "number" } ? number
  : R extends { kind: "flag" } ? boolean
  : R extends { kind: "choice"; of: readonly (infer C)[] } ? C
  : R extends { kind: "list"; items: infer I extends Rule } ? readonly Infer<I>[]
  : R extends { kind: "map"; values: infer V extends Rule } ? ReadonlyMap<string, Infer<V>>
  : R extends { kind: "object"; keys: infer K extends Record<string, Rule> }
    ? { readonly [P in keyof K]?: Infer<K[P]> }
  : R extends { kind: "either"; of: readonly (infer E extends Rule)[] } ? Infer<E>
  : JsonValue;
