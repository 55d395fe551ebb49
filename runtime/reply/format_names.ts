/** Names of the formats of a reply; light, for the command line. */

export const FORMATS = ["json", "json_h", "yml", "yml_h", "raw"] as const;
export type Format = (typeof FORMATS)[number];
