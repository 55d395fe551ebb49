/** Looks up what settings refer to outside the files, before they are checked. */

import type { RuleContext } from "#packs/rules";
import { check } from "../check.ts";
import { type CheckedConfig, CONFIG } from "../schema.ts";
import type { Lookup, LookupFailure, Scope } from "../tree/interpolate.ts";
import type { Node } from "../tree/node.ts";
import { readSource, type SourceOptions } from "./sources.ts";

export interface ReferenceOptions
  extends Pick<SourceOptions, "env" | "cwd" | "outside" | "timeoutMs"> {
  readonly context: RuleContext;
  /** Scope of variables and secrets. */
  readonly scope: Scope;
  /** True to look nothing up: each value is empty. */
  readonly isPartial: boolean;
  /** Values of commands that the home folder lends, by the names of the commands. */
  readonly lent?: ReadonlyMap<string, Lookup>;
}

export interface References {
  readonly outside: (reference: string) => Lookup;
  /** By reference. */
  readonly values: ReadonlyMap<string, Lookup>;
  /** True where a reference was not looked up. */
  readonly isPartial: boolean;
}

const PREFIX = /\$\{(?:keychain|cmd|op):/;
const MOST = 100;
const TOO_MANY: LookupFailure = {
  reason: `there are over ${MOST} of its kind`,
  fix: "Take most of them out",
};
const NONE: LookupFailure = { reason: "it was not looked up", fix: "Trust the project" };

/** Looks up the references below a node, all at once. */
export async function lookUpReferences(
  node: Node | undefined,
  { context, scope, isPartial, lent, ...source }: ReferenceOptions,
): Promise<References> {
  const references = new Set<string>();
  const isPresent = node !== undefined && refersOutside(node);
  if (isPresent) {
    const outside = (reference: string) => {
      references.add(reference);
      return "";
    };
    const { value } = check<CheckedConfig>(node, CONFIG, {
      context,
      scopeOf: () => ({ ...scope, outside }),
    });
    if (!isPartial) {
      return await readAll([...references], { ...source, commands: value.commands, lent });
    }
  }
  return {
    outside: isPartial ? () => "" : () => NONE,
    values: new Map(),
    isPartial: isPresent,
  };
}

async function readAll(
  references: readonly string[],
  { lent, ...source }: SourceOptions & Pick<ReferenceOptions, "lent">,
): Promise<References> {
  const pairs = await Promise.all(
    references.slice(0, MOST).map(async (reference) => {
      const name = reference.replace(/^cmd:/, "");
      const isOwn = Object.hasOwn(source.commands, name);
      const isLent = name !== reference && !isOwn;
      const value = (isLent ? lent?.get(name) : undefined) ?? await readSource(reference, source);
      return [reference, value] as const;
    }),
  );
  const values = new Map(pairs);
  return { outside: (reference) => values.get(reference) ?? TOO_MANY, values, isPartial: false };
}

/** Tells quickly that nothing is to be looked up, which is so for most configurations. */
function refersOutside(node: Node): boolean {
  if (node.kind === "list") return node.items.some(refersOutside);
  if (node.kind === "map") {
    return [...node.entries.values()].some(({ value }) => refersOutside(value));
  }
  return typeof node.value === "string" && PREFIX.test(node.value);
}
