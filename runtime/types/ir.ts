/** TypeScript types as data: what a schema is converted to, and what is printed. Every string in
 * here came from a server, and only `emit.ts` turns it into text. */

export type Type =
  /** No statement about the value: `any`, or `unknown` where an argument is expected. */
  | { readonly kind: "anything" }
  | { readonly kind: "never" }
  | { readonly kind: "primitive"; readonly name: "string" | "number" | "boolean" | "null" }
  | { readonly kind: "literal"; readonly value: string | number | boolean }
  | { readonly kind: "array"; readonly item: Type }
  | TupleType
  | ObjectType
  | { readonly kind: "union" | "intersection"; readonly members: readonly Type[] }
  /** One of the definitions beside the type, by its number. */
  | { readonly kind: "reference"; readonly definition: number };

export interface TupleType {
  readonly kind: "tuple";
  readonly items: readonly Type[];
  /** Number of items that must be present. */
  readonly required: number;
  readonly rest: Type | undefined;
}

export interface ObjectType {
  readonly kind: "object";
  readonly properties: readonly Property[];
  /** Type of further properties; undefined if there cannot be any. */
  readonly others: Type | undefined;
}

export interface Property {
  readonly name: string;
  readonly optional: boolean;
  readonly type: Type;
  readonly doc: Doc;
}

/** A comment: text, and tags of ours with values of theirs. */
export interface Doc {
  readonly text: string;
  readonly tags: readonly Tag[];
}

export interface Tag {
  readonly name:
    | "default"
    | "deprecated"
    | "format"
    | "maxItems"
    | "maxLength"
    | "maximum"
    | "minItems"
    | "minLength"
    | "minimum"
    | "pattern";
  readonly value: string;
}

/** A schema as types: its root, and the definitions that it refers to. */
export interface Converted {
  readonly root: Type;
  readonly definitions: readonly Definition[];
}

export interface Definition {
  /** The last part of the reference, for a readable name. */
  readonly name: string;
  readonly type: Type;
}

export const ANYTHING: Type = { kind: "anything" };
export const NEVER: Type = { kind: "never" };

/** The union of `members`, without what adds nothing. */
export function unionOf(members: readonly Type[]): Type {
  const others = members.filter((member) => member.kind !== "never");
  if (others.some((member) => member.kind === "anything")) return ANYTHING;
  if (others.length === 0) return NEVER;
  return others.length === 1 && others[0] ? others[0] : { kind: "union", members: others };
}

/** The intersection of `members`, without what adds nothing. */
export function intersectionOf(members: readonly Type[]): Type {
  const others = members.filter((member) => member.kind !== "anything");
  if (others.length === 0) return ANYTHING;
  if (others.some((member) => member.kind === "never")) return NEVER;
  return others.length === 1 && others[0] ? others[0] : { kind: "intersection", members: others };
}

/** The type that a reference means: the root, or a definition; undefined for an unknown number. */
export function targetOf(
  definition: number,
  { root, definitions }: Pick<Converted, "root" | "definitions">,
): Type | undefined {
  return definition === 0 ? root : definitions[definition - 1]?.type;
}
