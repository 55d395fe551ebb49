/** Parameters of built-in tools: each is a JSON Schema with the type that it allows. */

import { isObject, type JsonObject, type JsonValue } from "#base";
import { PackError } from "../../errors.ts";
import type { Args, PathForm } from "../../types.ts";
import { MOST_WRITTEN } from "./folders.ts";

/** One parameter; `T` is the type that the tool's function gets. */
export interface Param<T> {
  readonly schema: JsonObject;
  /** True if a call must pass it. */
  readonly required: boolean;
  /** Value for a call that does not pass it. */
  readonly fallback?: T;
  /** Present for a path. */
  readonly form?: PathForm;
}

export type Params = { readonly [name: string]: Param<unknown> };

/** Arguments of a tool with these parameters, defaults filled in. */
export type ArgsOf<P extends Params> = {
  readonly [K in keyof P]: P[K] extends Param<infer T> ? T : never;
};

type Extra = JsonObject;

/** A text; `more` adds to its schema (`examples`, `maxLength`). */
export function text(description: string, more: Extra = {}): Param<string> {
  return { schema: { type: "string", description, ...more }, required: true };
}

/** A path, relative to the project, or in another form. Its text is bounded before it is resolved. */
export function path(
  description: string,
  { form = "project", ...more }: Extra & { readonly form?: PathForm } = {},
): Param<string> {
  return { ...text(description, { maxLength: MOST_WRITTEN, ...more }), form };
}

/** A whole number. */
export function whole(description: string, more: Extra = {}): Param<number> {
  return { schema: { type: "integer", description, ...more }, required: true };
}

/** A number. */
export function number(description: string, more: Extra = {}): Param<number> {
  return { schema: { type: "number", description, ...more }, required: true };
}

/** A boolean, false by default. */
export function flag(description: string, fallback = false): Param<boolean> {
  return byDefault({ schema: { type: "boolean", description }, required: true }, fallback);
}

/** One of a few words, by default the first. */
export function choice<const T extends string>(
  description: string,
  of: readonly [T, ...T[]],
): Param<T> {
  const schema = { type: "string", enum: [...of], description };
  return byDefault<T>({ schema, required: true }, of[0]);
}

/** A list of texts, empty by default. */
export function texts(description: string, more: Extra = {}): Param<readonly string[]> {
  const schema = { type: "array", items: { type: "string" }, description, ...more };
  return { schema, required: false, fallback: [] };
}

/** Any JSON value. */
export function anything(description: string, more: Extra = {}): Param<JsonValue> {
  return { schema: { description, ...more }, required: true };
}

/** Makes a parameter optional: without it the value is `undefined`. */
export function optional<T>({ schema, form }: Param<T>): Param<T | undefined> {
  return { schema, required: false, form };
}

/** Gives a parameter a default, which its schema states. */
export function byDefault<T extends JsonValue>(
  { schema, form }: Param<T>,
  fallback: T,
): Param<T> {
  return { schema: { ...schema, default: fallback }, required: false, fallback, form };
}

/** JSON Schema of an object with these parameters and no others. */
export function inputSchemaOf(params: Params): JsonObject {
  const all = Object.entries(params);
  const required = all.filter(([, param]) => param.required).map(([name]) => name);
  return {
    type: "object",
    properties: Object.fromEntries(all.map(([name, { schema }]) => [name, schema])),
    ...(required.length > 0 ? { required } : {}),
    additionalProperties: false,
  };
}

/** Forms of the parameters that are paths, by name. */
export function pathsOf(params: Params): Record<string, PathForm> {
  const paths = Object.entries(params).flatMap(([name, { form }]) => form ? [[name, form]] : []);
  return Object.fromEntries(paths);
}

/** The declared arguments of a call, defaults filled in. The registry has checked them by the schema;
 * their types are looked at again, for a tool may mean something else by an object than by a text.
 * Throws `PackError`. */
export function argsOf<P extends Params>(params: P, args: Args): ArgsOf<P> {
  const declared = Object.entries(params).map(([name, { schema, fallback }]) => {
    const value = Object.hasOwn(args, name) ? args[name] : fallback;
    if (value === undefined || isOfType(value, schema.type)) return [name, value] as const;
    throw new PackError(
      "invalid_arguments",
      `Cannot use "${name}": it must be of type ${schema.type}`,
    );
  });
  return Object.fromEntries(declared) as ArgsOf<P>;
}

function isOfType(value: unknown, type: unknown): boolean {
  if (type === "array") return Array.isArray(value);
  if (type === "object") return isObject(value);
  if (type === "integer") return Number.isInteger(value);
  return type === undefined || typeof type !== "string" || typeof value === type;
}
