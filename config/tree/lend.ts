/** Secrets of the home folder that its configuration lends to a project. */

import { expandPath } from "#packs/rules";
import type { MapNode, Node } from "./node.ts";

export interface LendOptions<T> {
  /** The home folder's configuration as it is written. */
  readonly root: MapNode;
  /** Secrets, or values of commands, by name. */
  readonly values: ReadonlyMap<string, T>;
  readonly home: string;
  /** Real path. */
  readonly project: string;
}

/** The values that `secrets.lend` names for this project. */
export function lentValues<T>(
  { root, values, home, project }: LendOptions<T>,
): ReadonlyMap<string, T> {
  if (values.size === 0) return values;
  const homes = [home, Deno.realPathSync(home)];
  const lend = entryOf(root.entries.get("secrets")?.value, "lend");
  return new Map([...values].filter(([name]) => {
    const folders = foldersOf(entryOf(lend, name));
    return folders.some((folder) =>
      homes.some((home) => isMatch(expandPath(folder, { home, base: home }), project))
    );
  }));
}

function entryOf(node: Node | undefined, key: string): Node | undefined {
  return node?.kind === "map" ? node.entries.get(key)?.value : undefined;
}

function foldersOf(node: Node | undefined): readonly string[] {
  const items = node?.kind === "list" ? node.items : node ? [node] : [];
  return items.flatMap((item) => item.kind === "scalar" && item.source ? [item.source] : []);
}

/** `*` stands for one folder's name or a part of it, `**` for any number of folders. */
function isMatch(pattern: string, project: string): boolean {
  const source = pattern.replace(/[.+^${}()|[\]\\]/g, "\\$&")
    .replace(/\*\*|\*|\?/g, (wild) => wild === "**" ? ".*" : wild === "*" ? "[^/]*" : "[^/]");
  return new RegExp(`^${source.replace(/\/+$/, "")}$`, "s").test(project);
}
