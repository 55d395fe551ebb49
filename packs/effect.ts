/** Effects of tools: their sources, and the order in which these count. */

import type { JsonObject } from "#base";
import { compileNamePattern, isWild } from "./registry/name_pattern.ts";

/** `read` changes nothing, `write` adds or changes, `destroy` may lose data. */
export const EFFECTS = ["read", "write", "destroy"] as const;
export type Effect = (typeof EFFECTS)[number];

/** Source of a tool's effect; `default` where no source has one. */
export type EffectOrigin = "config" | "pack" | "annotations" | "default";

export interface ToolEffect {
  readonly effect: Effect;
  readonly effectFrom: EffectOrigin;
}

/** Effects that a configuration declares: by pack, then by name or pattern of its tools. */
export type DeclaredEffects = Readonly<Record<string, Readonly<Record<string, Effect>>>>;

/** Words of a tool itself. */
interface OwnWords {
  readonly annotations?: JsonObject;
  /** The pack's own word. */
  readonly effect?: Effect;
}

/** Tells the effect of a tool of a pack. */
export type EffectReader = (
  pack: string,
  spec: OwnWords & { readonly name: string },
) => ToolEffect;

/** Compiles what a configuration declares. Of its entries a name counts before patterns, and of these
 * the first that matches; then the pack's own word, then annotations, else `write`.
 *
 * @example
 * ```ts
 * import { createEffects } from "#packs";
 * const effectOf = createEffects({ shop: { "get_*": "read", get_rid: "destroy" } });
 * console.assert(effectOf("shop", { name: "get_price" }).effect === "read");
 * console.assert(effectOf("shop", { name: "get_rid" }).effect === "destroy");
 * ```
 */
export function createEffects(declared: DeclaredEffects = {}): EffectReader {
  const byPack = new Map(Object.entries(declared).map(([pack, effects]) => [pack, find(effects)]));
  return (pack, spec) => {
    const effect = byPack.get(pack)?.(spec.name);
    return effect ? { effect, effectFrom: "config" } : ownEffect(spec);
  };
}

function find(effects: Readonly<Record<string, Effect>>): (tool: string) => Effect | undefined {
  const exact = new Map(Object.entries(effects));
  const wild = [...exact].filter(([pattern]) => isWild(pattern))
    .map(([pattern, effect]) => ({ effect, matches: compileNamePattern(pattern) }));
  return (tool) => exact.get(tool) ?? wild.find(({ matches }) => matches(tool))?.effect;
}

function ownEffect({ effect, annotations }: OwnWords): ToolEffect {
  if (effect) return { effect, effectFrom: "pack" };
  const isSaid = annotations?.destructiveHint === true || annotations?.readOnlyHint === true;
  return { effect: effectOf({ annotations }), effectFrom: isSaid ? "annotations" : "default" };
}

/** Effect by annotations alone; one that says nothing may write, one that claims both may destroy. */
export function effectOf({ annotations }: Pick<OwnWords, "annotations">): Effect {
  if (annotations?.destructiveHint === true) return "destroy";
  return annotations?.readOnlyHint === true ? "read" : "write";
}

/** Tells that a failed call may be made again: it changes nothing, or no more than once. */
export function mayRepeat(
  { effect, spec }: { readonly effect: Effect; readonly spec: Pick<OwnWords, "annotations"> },
): boolean {
  return effect === "read" || spec.annotations?.idempotentHint === true;
}

/** Reads the effect that a pack states; undefined for any other value. */
export function readEffect(value: unknown): Effect | undefined {
  return EFFECTS.find((effect) => effect === value);
}
