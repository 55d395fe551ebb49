/** Table of packs, tools and aliases by each of their names. */

import type { CommandNames, CommandPack, CommandTool } from "./types.ts";

/** Target of a name. */
export type Target =
  | { readonly kind: "tools" | "snippets" | "proj" }
  | { readonly kind: "pack"; readonly pack: CommandPack }
  | { readonly kind: "tool"; readonly pack: CommandPack; readonly tool: CommandTool }
  | { readonly kind: "snippet"; readonly name: string; readonly params: readonly string[] }
  | { readonly kind: "project" }
  | { readonly kind: "no_pack" | "no_snippet"; readonly name: string }
  | { readonly kind: "no_tool"; readonly pack: CommandPack; readonly name: string };

/** Target of an alias, as keys of `tools`. */
export interface AliasTarget {
  readonly pack: string;
  readonly tool: string;
}

/** Functions of the `proj` pack; any other member is a project. */
const PROJ_FUNCTIONS = new Set(["path", "list"]);
/** Members of every object, and members that the language itself looks up. */
const ORDINARY = new Set([...Object.getOwnPropertyNames(Object.prototype), "then", "toJSON"]);

/** Table of all names; indexes a pack at its first lookup. */
export class NameTable {
  readonly names: CommandNames;
  readonly #packs = new Map<string, CommandPack>();
  readonly #tools = new Map<CommandPack, ReadonlyMap<string, CommandTool>>();

  constructor(names: CommandNames) {
    this.names = names;
    for (const pack of names.packs) {
      if (!this.#packs.has(pack.name)) this.#packs.set(pack.name, pack);
    }
    for (const pack of names.packs) this.#packs.set(pack.key, pack);
    for (const pack of names.packs) {
      const { snake } = pack;
      if (snake !== undefined && !this.#packs.has(snake)) this.#packs.set(snake, pack);
    }
  }

  pack(name: string): CommandPack | undefined {
    return this.#packs.get(name);
  }

  tool(pack: CommandPack, name: string): CommandTool | undefined {
    let tools = this.#tools.get(pack);
    if (!tools) {
      const byName = new Map<string, CommandTool>();
      for (const tool of pack.tools) if (!byName.has(tool.name)) byName.set(tool.name, tool);
      for (const tool of pack.tools) byName.set(tool.key, tool);
      for (const tool of pack.tools) if (tool.snake !== undefined) byName.set(tool.snake, tool);
      this.#tools.set(pack, tools = byName);
    }
    return tools.get(name);
  }

  /** Tool at the end of a chain of aliases; undefined for other names and for a circle. */
  alias(name: string): AliasTarget | undefined {
    const { aliases } = this.names;
    const seen = new Set<string>();
    let target = name;
    while (Object.hasOwn(aliases, target) && !seen.has(target)) {
      seen.add(target);
      target = aliases[target] ?? "";
    }
    const dot = target.indexOf(".");
    if (dot <= 0 || seen.size === 0) return undefined;
    return { pack: target.slice(0, dot), tool: target.slice(dot + 1) };
  }

  /** Target of `owner.name`. */
  member(owner: Target, name: string): Target | undefined {
    switch (owner.kind) {
      case "tools":
        return this.#packTarget(name);
      case "pack": {
        const tool = this.tool(owner.pack, name);
        if (tool) return { kind: "tool", pack: owner.pack, tool };
        if (ORDINARY.has(name)) return undefined;
        if (owner.pack.tools.length === 0) {
          return { kind: "tool", pack: owner.pack, tool: { name, key: name, params: [] } };
        }
        return { kind: "no_tool", pack: owner.pack, name };
      }
      case "snippets": {
        const { snippets } = this.names;
        if (!Object.hasOwn(snippets, name)) {
          return ORDINARY.has(name) ? undefined : { kind: "no_snippet", name };
        }
        return { kind: "snippet", name, params: Object.keys(snippets[name]?.params ?? {}) };
      }
      case "proj": {
        if (!PROJ_FUNCTIONS.has(name)) return { kind: "project" };
        const pack = this.pack("proj");
        const tool = pack && this.tool(pack, name);
        return pack && tool && { kind: "tool", pack, tool };
      }
      default:
        return undefined;
    }
  }

  /** Target of a name that the command does not declare. */
  ambient(name: string): Target | undefined {
    if (name === "tools" || name === "snippets" || name === "proj") return { kind: name };
    const pack = this.pack(name);
    return pack && { kind: "pack", pack };
  }

  /** Target of an alias that is called or passed on. */
  aliasTarget(name: string): Target | undefined {
    const target = this.alias(name);
    if (!target) return undefined;
    const pack = this.#packTarget(target.pack);
    return pack?.kind === "pack" ? this.member(pack, target.tool) ?? pack : pack;
  }

  #packTarget(name: string): Target | undefined {
    const pack = this.pack(name);
    if (pack) return { kind: "pack", pack };
    return ORDINARY.has(name) ? undefined : { kind: "no_pack", name };
  }
}
