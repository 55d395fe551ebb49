/** Message about a server or pack that does not exist. */

export interface UnknownPack {
  /** Names that exist. */
  readonly names: readonly string[];
  /** Action that needed it: `list`. */
  readonly verb: string;
}

/** Names the missing pack, and the nearest one that exists. */
export async function unknownPack(pack: string, { names, verb }: UnknownPack): Promise<string> {
  const { closest } = await import("#packs/nearest");
  const near = closest(pack, names);
  const available = names.length === 0 ? "none are configured" : `there are ${names.join(", ")}`;
  const way = near === undefined ? available : `did you mean "${near}"?`;
  return `Cannot ${verb} ${JSON.stringify(pack)}: no such server or pack: ${way}`;
}
