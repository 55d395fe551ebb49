/** Difference between a tool as it was first seen and as it is. */

import { canonicalJson, type JsonObject, type JsonValue } from "#base";
import { type Effect, effectOf, mayRepeat } from "../../effect.ts";
import type { ToolSpec } from "../../types.ts";

/** Parts of a tool that are compared; `new` is a tool that the server did not have. */
export type ChangeKind = "new" | "description" | "schema" | "annotations";

export interface ToolChange {
  readonly kinds: readonly ChangeKind[];
  /** Missing for a new tool. */
  readonly before?: ToolSpec;
  readonly now: ToolSpec;
}

/** One part of a tool, before and now. */
export interface PartChange {
  readonly change: ChangeKind;
  readonly old: JsonValue;
  readonly new: JsonValue;
}

/** Compares two tools of one name; undefined where they are equal. */
export function compareTools(before: ToolSpec, now: ToolSpec): ToolChange | undefined {
  const kinds = (["description", "schema", "annotations"] as const)
    .filter((kind) => !isSame(partOf(before, kind), partOf(now, kind)));
  return kinds.length > 0 ? { kinds, before, now } : undefined;
}

/** The changes of a tool, part by part. */
export function partsOf({ kinds, before, now }: ToolChange): readonly PartChange[] {
  return kinds.map((kind) => ({
    change: kind,
    old: before ? partOf(before, kind) : null,
    new: partOf(now, kind),
  }));
}

function partOf(tool: ToolSpec, kind: ChangeKind): JsonValue {
  const { title, description, inputSchema, outputSchema, annotations = {} } = tool;
  switch (kind) {
    case "description":
      return title === undefined ? description : `${title}\n${description}`;
    case "schema":
      return { inputSchema, ...(outputSchema ? { outputSchema } : {}) };
    case "annotations":
      return annotations;
    default:
      return { ...tool } satisfies JsonObject;
  }
}

/** Plain text first: it is quick, and a server seldom changes the order of its keys. */
function isSame(one: JsonValue, other: JsonValue): boolean {
  return JSON.stringify(one) === JSON.stringify(other) ||
    canonicalJson(one) === canonicalJson(other);
}

const ORDER: readonly Effect[] = ["read", "write", "destroy"];

/** Tells that the annotations of a tool now promise more than they did. */
export function isMilder(now: ToolSpec, before: ToolSpec): boolean {
  return ORDER.indexOf(effectOf(now)) < ORDER.indexOf(effectOf(before)) ||
    (isRepeatable(now) && !isRepeatable(before)) ||
    (isClosed(now) && !isClosed(before));
}

/** Annotations of a tool as it is, with hints that promise no more than it did before either. One that
 * is left out promises nothing. */
export function strictHints(now: ToolSpec, before: ToolSpec): JsonObject {
  const { readOnlyHint, destructiveHint, idempotentHint, openWorldHint, ...others } =
    now.annotations ?? {};
  const old = before.annotations ?? {};
  const destroys = [destructiveHint, old.destructiveHint];
  return {
    ...others,
    ...(destroys.includes(true) ? { destructiveHint: true } : {}),
    ...(destroys.every((value) => value === false) ? { destructiveHint: false } : {}),
    ...(readOnlyHint === true && old.readOnlyHint === true ? { readOnlyHint } : {}),
    ...(idempotentHint === true && isRepeatable(before) ? { idempotentHint } : {}),
    ...(openWorldHint === false && isClosed(before) ? { openWorldHint } : {}),
  };
}

function isRepeatable(spec: ToolSpec): boolean {
  return mayRepeat({ effect: effectOf(spec), spec });
}

function isClosed({ annotations }: ToolSpec): boolean {
  return annotations?.openWorldHint === false;
}
