/** Every name a tool goes by: one on the wire, and up to three in code. */

import type { ToolEntry, ToolSpec } from "../types.ts";

export interface NamedPack {
  readonly name: string;
  readonly source: string;
  readonly tools: readonly ToolSpec[];
}

export interface NamedTools {
  /** In the order of the packs and of their tools. */
  readonly entries: readonly ToolEntry[];
  /** One sentence for each name that two tools, or two packs, came to share. */
  readonly warnings: readonly string[];
}

/** Names that the language itself calls (`await`, `JSON.stringify`, `${}`): no tool's key in code, or
 * an object with it would count as something else there. */
const HOOKS = new Set(["then", "toJSON", "toString", "valueOf"]);

/** Packs are variables in commands, so these cannot be their keys. */
const RESERVED = new Set(
  ("arguments async await break case catch class const continue debugger default delete do else " +
    "enum eval export extends false finally for function if implements import in instanceof " +
    "interface let new null package private protected public return static super switch this " +
    "throw true try typeof var void while with yield undefined NaN Infinity globalThis console " +
    "constructor prototype tools snippets").split(" "),
);

/** Names all tools of all packs; the earlier in the order keeps a name that two would have.
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
export function nameTools(packs: readonly NamedPack[]): NamedTools {
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
      const wanted = `${pack.name}__${spec.name}`.toWellFormed();
      const wire = takeFree(wanted, wires, "__");
      if (wire !== wanted) warnings.push(`Cannot use ${quote(wanted)} twice: use ${quote(wire)}`);
      const { name: tool } = spec;
      const [packSnake, snakeKey] = [packSnakes[index], snakeKeys[place]];
      const keys = {
        ...{ packKey, toolKey },
        ...(packSnake === undefined ? {} : { packSnake }),
        ...(snakeKey === undefined ? {} : { snakeKey }),
      };
      entries.push({ wire, pack: pack.name, tool, ...keys, source: pack.source, spec });
    });
  });
  return { entries, warnings };
}

/** The properties of one pack's tools in code: each tool's key and, where they are no other tool's,
 * its own name and that in snake_case. */
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

/** Where a tool comes from, as people are told: `local`, in whatever process, or `proxy:<server>`
 * (OT-05). */
export function sourceOf({ source }: Pick<ToolEntry, "source">): string {
  return source.startsWith("proxy:") ? source : "local";
}

/** Whether a tool goes by this name in code. */
export function goesBy({ tool, toolKey, snakeKey }: ToolEntry, name: string): boolean {
  return name === tool || name === toolKey || name === snakeKey;
}

/** The properties that packs have in code, by the pack's name: its own name, its key, and the name in
 * snake_case where that is no other pack's. */
export function packProperties(entries: readonly ToolEntry[]): Map<string, string> {
  const properties = new Map<string, string>();
  for (const entry of entries) {
    properties.set(entry.packKey, entry.pack);
    if (entry.pack.isWellFormed()) properties.set(entry.pack, entry.pack);
    if (entry.packSnake !== undefined) properties.set(entry.packSnake, entry.pack);
  }
  return properties;
}

/** Whether a tool's pack goes by this name in code. */
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
  // Nearly every name; the general way costs ten times as much.
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

/** For each name the same in snake_case, where that is a further name and no other tool's. */
function snakeKeysOf(names: readonly string[], keys: readonly string[]): (string | undefined)[] {
  const taken = new Set([...names, ...keys]);
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
    if (snake === undefined || taken.has(snake) || shared.has(snake)) return undefined;
    const isUsable = /^[a-z_][a-z\d_]*$/.test(snake) && !HOOKS.has(snake) && !RESERVED.has(snake);
    return isUsable ? snake : undefined;
  });
}

interface KeyOptions {
  readonly fallback: string;
  readonly avoid?: ReadonlySet<string>;
}

/** One unique key for each name; a name that is its own key keeps it before any converted one. */
function keysOf(names: readonly string[], options: KeyOptions): string[] {
  const own = new Map<string, number>();
  names.forEach((name, index) => {
    if (!own.has(name)) own.set(name, index);
  });
  const taken = new Map([...own.keys()].map((name) => [name, 2]));
  return names.map((name, index) => {
    const key = keyOf(name, options);
    return own.get(key) === index ? key : takeFree(key, taken, "_");
  });
}

function keyOf(name: string, { fallback, avoid }: KeyOptions): string {
  const key = camelCase(name, fallback);
  return HOOKS.has(key) || avoid?.has(key) ? `${key}_` : key;
}

/** Takes `wanted`, or `wanted<joint>2`, `3`… The map holds where counting goes on, so that many of
 * one name cost no more than many names. */
function takeFree(wanted: string, taken: Map<string, number>, joint: string): string {
  let count = taken.get(wanted);
  if (count === undefined) {
    taken.set(wanted, 2);
    return wanted;
  }
  while (taken.has(`${wanted}${joint}${count}`)) count++;
  taken.set(wanted, count + 1);
  taken.set(`${wanted}${joint}${count}`, 2);
  return `${wanted}${joint}${count}`;
}

interface Shared extends KeyOptions {
  readonly name: string;
  readonly pack?: string;
}

function warnShared(warnings: string[], key: string, { name, pack, ...options }: Shared): void {
  if (!/_\d+$/.test(key)) return;
  const wanted = keyOf(name, options);
  if (key === wanted) return;
  const full = pack === undefined ? name : `${pack}.${name}`;
  warnings.push(`Cannot use ${quote(wanted)} for ${quote(full)}: taken: use ${quote(key)}`);
}

function quote(name: string): string {
  return JSON.stringify(name.length > 100 ? `${name.slice(0, 100)}…` : name);
}
