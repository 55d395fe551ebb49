/** Names of tools: one on the wire, and up to three in code. */

import { createEffects, type EffectReader } from "../effect.ts";
import type { ToolEntry, ToolSpec } from "../types.ts";

export interface NamedPack {
  readonly name: string;
  readonly source: string;
  readonly tools: readonly ToolSpec[];
}

export interface NamedTools {
  /** In the order of the packs and of their tools. */
  readonly entries: readonly ToolEntry[];
  /** Message for each name that two tools or two packs share. */
  readonly warnings: readonly string[];
}

/** Methods that the language calls (`await`, `JSON.stringify`, `${}`): keys of tools must differ, or
 * the language calls the tool. */
const HOOKS = new Set(["then", "toJSON", "toString", "valueOf"]);

/** Packs are variables in commands, so these cannot be their keys. */
const RESERVED = new Set(
  ("arguments async await break case catch class const continue debugger default delete do else " +
    "enum eval export extends false finally for function if implements import in instanceof " +
    "interface let new null package private protected public return static super switch this " +
    "throw true try typeof var void while with yield undefined NaN Infinity globalThis console " +
    "constructor prototype tools snippets").split(" "),
);

/** Names all tools of all packs, and reads their effects; the first in order keeps a shared name.
 *
 * @example
 * ```ts
 * import { nameTools } from "#packs";
 * const spec = { name: "create_issue", description: "", inputSchema: {} };
 * const { entries } = nameTools([{ name: "github", source: "proxy:github", tools: [spec] }]);
 * console.assert(entries[0]?.wire === "github__create_issue");
 * console.assert(entries[0]?.toolKey === "createIssue");
 * ```
 */
export function nameTools(
  packs: readonly NamedPack[],
  effectOf: EffectReader = createEffects(),
): NamedTools {
  const warnings: string[] = [];
  const entries: ToolEntry[] = [];
  const wires = new Map<string, number>();
  const packNames = packs.map((pack) => pack.name);
  const packKeys = keysOf(packNames, { fallback: "pack", avoid: RESERVED });
  const packSnakes = snakeKeysOf(packNames, packKeys);
  packs.forEach((pack, index) => {
    const packKey = packKeys[index] ?? "pack";
    warnShared(warnings, packKey, { name: pack.name, fallback: "pack", avoid: RESERVED });
    const names = pack.tools.map((tool) => tool.name);
    const toolKeys = keysOf(names, { fallback: "tool" });
    const snakeKeys = snakeKeysOf(names, toolKeys);
    pack.tools.forEach((spec, place) => {
      const toolKey = toolKeys[place] ?? "tool";
      warnShared(warnings, toolKey, { name: spec.name, fallback: "tool", pack: pack.name });
      const ownWire = `${pack.name}__${spec.name}`.toWellFormed();
      const wire = takeFree(ownWire, wires, "__");
      if (wire !== ownWire) warnings.push(sharedWire(ownWire, wire));
      const { name: tool } = spec;
      const [packSnake, snakeKey] = [packSnakes[index], snakeKeys[place]];
      const keys = {
        packKey,
        toolKey,
        ...(packSnake === undefined ? {} : { packSnake }),
        ...(snakeKey === undefined ? {} : { snakeKey }),
      };
      const effect = effectOf(pack.name, spec);
      entries.push({ wire, pack: pack.name, tool, ...keys, source: pack.source, spec, ...effect });
    });
  });
  return { entries, warnings };
}

/** Properties of one pack's tools in code: the key of each tool and, where no other tool has them, its
 * own name and its name in snake_case. */
export function toolProperties(entries: readonly ToolEntry[]): Map<string, ToolEntry> {
  const properties = new Map<string, ToolEntry>();
  for (const entry of entries) {
    if (entry.tool.isWellFormed() && !properties.has(entry.tool)) {
      properties.set(entry.tool, entry);
    }
  }
  for (const entry of entries) properties.set(entry.toolKey, entry);
  for (const entry of entries) {
    if (entry.snakeKey !== undefined) properties.set(entry.snakeKey, entry);
  }
  return properties;
}

/** Source of a tool as shown to people: `local` in any process, or `proxy:<server>` (OT-05). */
export function sourceOf({ source }: Pick<ToolEntry, "source">): string {
  return source.startsWith("proxy:") ? source : "local";
}

/** Returns true for a name that the tool has in code. */
export function goesBy({ tool, toolKey, snakeKey }: ToolEntry, name: string): boolean {
  return name === tool || name === toolKey || name === snakeKey;
}

/** Properties of packs in code → name of the pack: its own name, its key, and its name in snake_case
 * where no other pack has that. */
export function packProperties(entries: readonly ToolEntry[]): Map<string, string> {
  const properties = new Map<string, string>();
  for (const entry of entries) {
    properties.set(entry.packKey, entry.pack);
    if (entry.pack.isWellFormed()) properties.set(entry.pack, entry.pack);
    if (entry.packSnake !== undefined) properties.set(entry.packSnake, entry.pack);
  }
  return properties;
}

/** Returns true for a name that the tool's pack has in code. */
export function packGoesBy({ pack, packKey, packSnake }: ToolEntry, name: string): boolean {
  return name === pack || name === packKey || name === packSnake;
}

/** `get-library-docs` → `getLibraryDocs`; always a valid identifier, perhaps a reserved word.
 *
 * @example
 * ```ts
 * import { camelCase } from "#packs";
 * console.assert(camelCase("API-get-user") === "apiGetUser");
 * ```
 */
export function camelCase(name: string, fallback = "tool"): string {
  // The usual name; the general conversion costs ten times as much.
  if (/^[a-z][A-Za-z0-9]*(?:[_-][A-Za-z0-9]+)*$/.test(name)) {
    return name.replace(/[_-](.)/g, (_, letter: string) => letter.toUpperCase());
  }
  const words = name.split(/[^\p{ID_Continue}$]+|_+/u).filter((word) => word !== "");
  const shouting = words.length > 1 && !/\p{Lowercase}/u.test(name);
  const key = words.map((word, index) => {
    if (index === 0) return lowerFirst(word);
    return word.charAt(0).toUpperCase() + (shouting ? word.slice(1).toLowerCase() : word.slice(1));
  }).join("");
  if (key === "") return fallback;
  return /^[\p{ID_Start}$]/u.test(key) ? key : `_${key}`;
}

/** `HTTPGet` → `httpGet`, `API` → `api`, `Create` → `create`, `createIssue` as it is. */
function lowerFirst(word: string): string {
  return word.replace(
    /^(?:\p{Lu}+(?!\p{ID_Continue})|\p{Lu}+(?=\p{Lu}\p{Ll})|\p{Lu}+(?=\p{Nd})|\p{Lu})/u,
    (start) => start.toLowerCase(),
  );
}

/** `get-tiny-image`, `getTinyImage` → `get_tiny_image`. */
export function snakeCase(name: string): string {
  return name.replace(/([\p{Ll}\d])(\p{Lu})/gu, "$1_$2").replace(/[-.\s]/g, "_").toLowerCase();
}

/** Each name in snake_case, where that is an additional name that no other tool has. */
function snakeKeysOf(names: readonly string[], keys: readonly string[]): (string | undefined)[] {
  const used = new Set([...names, ...keys]);
  const shared = new Set<string>();
  const seen = new Set<string>();
  const snakes = names.map((name) => {
    if (/^[a-z\d_]*$/.test(name)) return undefined;
    const snake = snakeCase(name);
    if (seen.has(snake)) shared.add(snake);
    seen.add(snake);
    return snake;
  });
  return snakes.map((snake) => {
    if (snake === undefined || used.has(snake) || shared.has(snake)) return undefined;
    const isUsable = /^[a-z_][a-z\d_]*$/.test(snake) && !HOOKS.has(snake) && !RESERVED.has(snake);
    return isUsable ? snake : undefined;
  });
}

interface KeyOptions {
  readonly fallback: string;
  readonly avoid?: ReadonlySet<string>;
}

/** Unique key of each name. A name that is its own key has precedence over converted names. */
function keysOf(names: readonly string[], options: KeyOptions): string[] {
  const own = new Map<string, number>();
  names.forEach((name, index) => {
    if (!own.has(name)) own.set(name, index);
  });
  const used = new Map([...own.keys()].map((name) => [name, 2]));
  return names.map((name, index) => {
    const key = keyOf(name, options);
    return own.get(key) === index ? key : takeFree(key, used, "_");
  });
}

function keyOf(name: string, { fallback, avoid }: KeyOptions): string {
  const key = camelCase(name, fallback);
  return HOOKS.has(key) || avoid?.has(key) ? `${key}_` : key;
}

/** Takes `name`, or `name<joint>2`, `3`… The map keeps the next count of each name, so that equal
 * names cost no more than different ones. */
function takeFree(name: string, used: Map<string, number>, joint: string): string {
  let count = used.get(name);
  if (count === undefined) {
    used.set(name, 2);
    return name;
  }
  while (used.has(`${name}${joint}${count}`)) count++;
  used.set(name, count + 1);
  used.set(`${name}${joint}${count}`, 2);
  return `${name}${joint}${count}`;
}

function sharedWire(own: string, wire: string): string {
  return `Two tools are named ${quote(own)}: the second is exposed as ${quote(wire)}`;
}

interface Shared extends KeyOptions {
  readonly name: string;
  readonly pack?: string;
}

function warnShared(warnings: string[], key: string, { name, pack, ...options }: Shared): void {
  if (!/_\d+$/.test(key)) return;
  const ownKey = keyOf(name, options);
  if (key === ownKey) return;
  const full = pack === undefined ? name : `${pack}.${name}`;
  warnings.push(`Cannot use ${quote(ownKey)} for ${quote(full)}: taken: use ${quote(key)}`);
}

function quote(name: string): string {
  return JSON.stringify(name.length > 100 ? `${name.slice(0, 100)}…` : name);
}

/** Tells whether a call in the code, as it is written, is one of this tool. */
export function isCallOf(
  entry: ToolEntry,
  { pack, tool }: { readonly pack: string; readonly tool: string },
): boolean {
  return packGoesBy(entry, pack) && goesBy(entry, tool);
}

/** Returns true for a snippet as a tool: what counts are the calls that it makes. */
export function isSnippet({ pack, source }: Pick<ToolEntry, "pack" | "source">): boolean {
  return pack === "snippets" && source === "local";
}
