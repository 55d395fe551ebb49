/** Where the documentation of a pack is (OT-53). */

export interface DocsPlace {
  /** Address before the names of all packs, where the configuration has one. */
  readonly baseUrl?: string | undefined;
  /** Packs whose page has another name, or is elsewhere: a name, or an address. */
  readonly packs: Readonly<Record<string, string>>;
}

/** Pages of the packs that OneTool has as well, which are documented there. */
const BASE = "https://onetool.beycom.online/reference/tools";
const SLUGS: Readonly<Record<string, string>> = {
  brave: "brave-search",
  code: "code-search",
  db: "database",
  file: "file",
  ground: "grounding-search",
  llm: "transform",
  ot: "ot",
  package: "package",
  web: "web-fetch",
};

/** The address of a pack's page; undefined where none is known. */
export function docsUrl({ baseUrl, packs }: DocsPlace, pack: string): string | undefined {
  const slug = own(packs, pack) ?? own(SLUGS, pack);
  if (slug !== undefined && /^https?:\/\//.test(slug)) return slug;
  if (slug === undefined && baseUrl === undefined) return undefined;
  return `${(baseUrl ?? BASE).replace(/\/+$/, "")}/${encodeURIComponent(slug ?? pack)}/`;
}

function own(names: Readonly<Record<string, string>>, key: string): string | undefined {
  return Object.hasOwn(names, key) ? names[key] : undefined;
}
