/** Prelude of a command: one line that declares the names it uses. */

import { isGlobal } from "./globals.ts";
import { isIdentifier, type Rewriting } from "./rewriting.ts";
import { memberName } from "../../syntax/expression.ts";
import type { Path } from "./path.ts";
import type { MagicName, Prelude } from "../types.ts";

export interface Ambient {
  readonly prelude: Prelude;
  readonly magic: readonly MagicName[];
  readonly servers: readonly string[] | null;
}

const TYPED = "<T,K extends string>(value:T,key:K):" +
  "T extends string|number|bigint|boolean|null|undefined|readonly unknown[]?{[P in K]:T}:T" +
  "{return value as any}";
const UNTYPED = '(value,key){return typeof value==="object"&&value!==null&&!Array.isArray(value)' +
  "?value:{[key]:value}}";

/** Declares exactly the ambient names that the rewritten command uses. */
export function writePrelude(rewriting: Rewriting, magic: readonly MagicName[]): Ambient {
  const { needs, meanings, survey } = rewriting;
  const imports = new Set<string>();
  const packs = new Set(needs.packs);
  const free = freeReads(rewriting);
  for (const { name, path } of free) {
    const target = meanings.table.ambient(name);
    if (target?.kind === "pack") {
      if (isPackUse(path, name, rewriting)) packs.add(name);
    } else if (target) imports.add(name);
  }
  const own = survey.root.own("tools") !== undefined;
  const base = own ? needs.toolsAs : "tools";
  if (needs.tools || own && packs.size > 0) imports.add(`tools as ${needs.toolsAs}`);
  if (packs.size > 0 && !own) imports.add("tools");
  for (const name of needs.lists) imports.add(`${name} as ${needs.listsAs[name]}`);
  const ambient = [...packs].map((name) => `const ${name}=${base}.${name};`).join("");
  const variables = [...needs.variables];
  return {
    prelude: {
      imports: imports.size === 0 ? "" : `import {${[...imports].join(",")}} from "toolscript";`,
      checked: [...magic, ...variables].map((name) => `let ${name}:any;`).join("") + ambient +
        (needs.needsNaming ? `function ${needs.namingFunction}${TYPED}` : ""),
      local: variables.map((name) => `let ${name};`).join("") + ambient +
        (needs.needsNaming ? `function ${needs.namingFunction}${UNTYPED}` : ""),
    },
    magic,
    servers: usedServers(free, packs, rewriting),
  };
}

interface FreeUse {
  readonly name: string;
  readonly path: Path;
}

function freeReads({ survey, meanings }: Rewriting): FreeUse[] {
  return survey.reads.flatMap((path) => {
    const { node, scope } = path;
    if (node.type !== "Identifier" || !isIdentifier(node.name)) return [];
    return meanings.isFree(node.name, scope) ? [{ name: node.name, path }] : [];
  });
}

/** Tells whether a name with the name of a pack means that pack, not an alias or a name of the
 * platform. */
function isPackUse({ parent, node, scope }: Path, name: string, { meanings }: Rewriting): boolean {
  const above = parent?.node;
  const isOwner = above !== undefined && "object" in above && above.object === node;
  if (isGlobal(name)) return isOwner && meanings.of(above, scope) !== undefined;
  return isOwner || meanings.table.aliasTarget(name) === undefined;
}

/** Packs that a command uses; null where it passes `tools` on. */
function usedServers(
  free: readonly FreeUse[],
  packs: ReadonlySet<string>,
  { meanings, survey, needs }: Rewriting,
): string[] | null {
  const { table } = meanings;
  const servers = new Set([...packs].map((name) => table.pack(name)?.name ?? name));
  if (needs.tools) {
    for (const { node } of survey.reads) {
      const alias = node.type === "Identifier" ? table.alias(node.name) : undefined;
      if (alias) servers.add(table.pack(alias.pack)?.name ?? alias.pack);
    }
  }
  for (const { name, path } of free) {
    if (name === "snippets") servers.add(name);
    if (name !== "tools") continue;
    const names = ownNames(path);
    if (!names) return null;
    for (const used of names) servers.add(table.pack(used)?.name ?? used);
  }
  return [...servers];
}

/** Members of `tools` that are named here: `tools.github`, `const { github } = tools`. */
function ownNames({ node, parent }: Path): string[] | null {
  const above = parent?.node;
  if (above && "object" in above && above.object === node) {
    const name = memberName(above);
    return name === undefined ? null : [name];
  }
  if (above?.type !== "VariableDeclarator" || above.init !== node) return null;
  if (above.id.type !== "ObjectPattern") return null;
  const names: string[] = [];
  for (const item of above.id.properties) {
    if (item.type === "RestElement" || item.computed || item.key.type !== "Identifier") return null;
    names.push(item.key.name);
  }
  return names;
}
