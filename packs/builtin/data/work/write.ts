/** Writes plain data as a text in any format. */

import { Buffer } from "node:buffer";
import { CORE_SCHEMA, dump } from "js-yaml";
import JSON5 from "json5";
import { stringify as stringifyToml } from "smol-toml";
import { isObject, type JsonValue, messageOf, sizeIndented } from "#base";
import { JobRefused } from "../../../jobs/protocol.ts";
import type { Format } from "../formats.ts";
import { checkSize, table, tooLarge } from "./table.ts";

const YAML = { schema: CORE_SCHEMA, quoteStyle: "double", noRefs: true } as const;
/** Characters after which the writer of YAML folds a text that lies far down. */
const SHORTEST_LINE = 40;

export interface WriteOptions {
  readonly to: Format;
  /** Spaces; 0 for one line. */
  readonly indent: number;
  readonly maxBytes: number;
}

/** Writes data. Throws `JobRefused`. */
export function write(value: JsonValue, options: WriteOptions): string {
  const { maxBytes } = options;
  // Twice as much may be reckoned as is written.
  const most = 3 * maxBytes;
  if (reckoned(value, options, most) > most) throw tooLarge(`over ${most}`, maxBytes);
  const text = stringify(value, options);
  checkSize(Buffer.byteLength(text), maxBytes);
  return text;
}

/** Characters of the text, about; counted until they are more than `most`. */
function reckoned(value: JsonValue, { to, indent }: WriteOptions, most: number): number {
  if (to === "toml") return sizeOfToml(value, most);
  if (to === "yaml") {
    return sizeIndented(value, { indent: Math.max(1, indent), most, linesOf: linesOfYaml });
  }
  return sizeIndented(value, { indent: to === "json" || to === "json5" ? indent : 0, most });
}

/** Lines that a text takes in YAML, which folds it. */
function linesOfYaml(text: string): number {
  return text.length / SHORTEST_LINE + text.split("\n").length;
}

/** Each table is headed by all names that lead to it. */
function sizeOfToml(value: JsonValue, most: number): number {
  let size = 0;
  function add(next: JsonValue, path: number): void {
    size += typeof next === "string" ? next.length + 3 : 3;
    if (typeof next !== "object" || next === null) return;
    if (isObject(next)) size += path;
    for (const [key, item] of Object.entries(next)) {
      if (size > most) return;
      const length = Array.isArray(next) ? 0 : key.length + 3;
      size += length;
      add(item as JsonValue, path + length);
    }
  }
  add(value, 0);
  return size;
}

function stringify(value: JsonValue, { to, indent, maxBytes }: WriteOptions): string {
  switch (to) {
    case "json":
      return JSON.stringify(value, null, indent);
    case "json5":
      return JSON5.stringify(value, null, indent);
    case "ndjson":
      if (!Array.isArray(value)) throw new JobRefused("NDJSON is made of a list");
      return value.map((item) => `${JSON.stringify(item)}\n`).join("");
    case "yaml":
      return dump(value, { ...YAML, indent: Math.max(1, indent) });
    case "toml":
      return toml(value);
    case "csv":
    case "tsv":
      return table(value, { as: to, columns: [], maxBytes });
    default:
      return to satisfies never;
  }
}

function toml(value: JsonValue): string {
  if (!isObject(value)) throw new JobRefused("TOML is made of an object");
  try {
    return stringifyToml(value);
  } catch (error) {
    if (error instanceof RangeError) throw error;
    const reason = messageOf(error);
    throw new JobRefused(`it does not fit into TOML: ${reason} (TOML has no null in lists)`);
  }
}
