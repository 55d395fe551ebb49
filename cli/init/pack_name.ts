/** Valid names of a new pack. */

import { discoverPacks, reservedNames } from "#packs";
import type { Config } from "#config";

/** Identifier in programs and in commands. */
const NAME = /^[A-Za-z][A-Za-z0-9_]*$/;
const MAX_LENGTH = 64;
const RESERVED = new Set(
  ("arguments await break case catch class const continue debugger default delete do else enum " +
    "eval export extends false finally for function if implements import in instanceof interface " +
    "let new null package private protected public return static super switch this throw true try " +
    "typeof var void while with yield").split(" "),
);

export interface PackPlace {
  readonly project: string;
  readonly home: string;
  readonly scope: "project" | "home";
  /** Undefined for an invalid configuration. */
  readonly config: Config | undefined;
}

/** Reason why a pack cannot have this name, with the fix; undefined for a valid name. */
export function nameProblem(name: string, place: PackPlace): string | undefined {
  if (!NAME.test(name) || name.length > MAX_LENGTH) {
    const other = proposed(name);
    const way = other === undefined ? "" : `: try "${other}"`;
    return `a name has letters, digits and _, a letter first, at most ${MAX_LENGTH}${way}`;
  }
  if (RESERVED.has(name)) return `it is a reserved word: try "${name}_tools"`;
  const owner = ownerOf(name, place);
  return owner === undefined ? undefined : `${owner} has this name: choose another`;
}

function ownerOf(name: string, { project, home, scope, config }: PackPlace): string | undefined {
  const configured = [...config?.servers ?? [], ...config?.trust.servers ?? []];
  const servers = configured.map((server) => server.name);
  const owner = reservedNames(servers).get(name);
  if (owner !== undefined) return owner;
  const { extensions: _, ...builtin } = config?.packs ?? {};
  if (Object.hasOwn(builtin, name)) return "a pack that comes with Toolscript";
  const { packs } = discoverPacks({ project, home, reserved: new Map() });
  return packs.find((pack) => pack.name === name && pack.scope === scope)?.file;
}

function proposed(name: string): string | undefined {
  const plain = name.replace(/\W+/g, "_").replace(/^[^A-Za-z]+|_+$/g, "").slice(0, MAX_LENGTH);
  return NAME.test(plain) && plain !== name ? plain : undefined;
}
