/** Where the documentation of a pack is (OT-53). */

export interface DocsPlace {
  readonly baseUrl: string;
  /** Packs whose page has another name, or is elsewhere: a name, or an address. */
  readonly packs: Readonly<Record<string, string>>;
}

const SLUGS: Readonly<Record<string, string>> = {
  brave: "brave-search",
  code: "code-search",
  db: "database",
  ground: "grounding-search",
  llm: "transform",
  web: "web-fetch",
};

/** The address of a pack's page. */
export function docsUrl({ baseUrl, packs }: DocsPlace, pack: string): string {
  const slug = own(packs, pack) ?? own(SLUGS, pack) ?? pack;
  if (/^https?:\/\//.test(slug)) return slug;
  return `${baseUrl.replace(/\/+$/, "")}/${encodeURIComponent(slug)}/`;
}

function own(names: Readonly<Record<string, string>>, key: string): string | undefined {
  return Object.hasOwn(names, key) ? names[key] : undefined;
}
