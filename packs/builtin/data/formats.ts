/** Formats of the `data` pack. */

export const FORMATS = ["json", "json5", "ndjson", "yaml", "toml", "csv", "tsv"] as const;
export type Format = typeof FORMATS[number];

const ENDINGS: Readonly<Record<string, Format>> = {
  json: "json",
  geojson: "json",
  ipynb: "json",
  webmanifest: "json",
  jsonc: "json5",
  json5: "json5",
  ndjson: "ndjson",
  jsonl: "ndjson",
  yaml: "yaml",
  yml: "yaml",
  toml: "toml",
  csv: "csv",
  tsv: "tsv",
  tab: "tsv",
};

/** Format by the ending of a file's name. */
export function formatOfName(path: string): Format | undefined {
  const ending = /\.(?<ending>[^./\\]+)$/.exec(path.toLowerCase())?.groups?.ending ?? "";
  return Object.hasOwn(ENDINGS, ending) ? ENDINGS[ending] : undefined;
}
