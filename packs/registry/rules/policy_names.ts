/** Names under which the lists of the policy know a call, a module, a tool or a pack. */

import { camelCase, snakeCase } from "../names.ts";

/** Names of one thing, by the kind of pattern that may match them. */
export interface Names {
  readonly bare?: readonly string[];
  readonly qualified?: readonly string[];
}

/** Servers by the packs of their further accounts. */
export type Accounts = Readonly<Record<string, string>>;

export function namesInCode(name: string): Names {
  return name.includes(".") ? { qualified: [name] } : { bare: [name] };
}

export function namesOfModule(module: string): Names {
  const name = stripScheme(module);
  return { bare: [name, rootOf(name)] };
}

export function namesOfTool(pack: string, tool: string, accounts: Accounts): Names {
  const packs = packNames(pack, accounts);
  return {
    bare: [...packs, ...packs.map((first) => `${first}__${tool}`)],
    qualified: packs.flatMap((first) => spellings(tool).map((second) => `${first}.${second}`)),
  };
}

export function namesOfPack(pack: string, accounts: Accounts): Names {
  const packs = packNames(pack, accounts);
  return { bare: packs, qualified: packs.map((name) => `${name}.*`) };
}

/** Names of a pack, with those of the server that it is an account at. */
function packNames(pack: string, accounts: Accounts): string[] {
  const server = Object.hasOwn(accounts, pack) ? accounts[pack] : undefined;
  return server === undefined ? spellings(pack) : [...spellings(pack), ...spellings(server)];
}

/** A name and its spellings in code and configs: `deleteRepo`, `delete_repo`, `delete-repo`. */
function spellings(name: string): string[] {
  const snake = snakeCase(name);
  return [...new Set([name, camelCase(name), snake, snake.replaceAll("_", "-")])];
}

/** Name of a module without `node:`. */
export function stripScheme(name: string): string {
  return name.startsWith("node:") ? name.slice("node:".length) : name;
}

/** Root module of `fs/promises`; a scope and its name are one part. */
function rootOf(module: string): string {
  const [first = "", second] = module.split("/");
  return first.startsWith("@") && second !== undefined ? `${first}/${second}` : first;
}
