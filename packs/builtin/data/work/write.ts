/** Writes plain data as a text in any format. */

import { Buffer } from "node:buffer";
import { CORE_SCHEMA, dump } from "js-yaml";
import JSON5 from "json5";
import { stringify as stringifyToml } from "smol-toml";
import { isObject, type JsonValue, messageOf } from "#base";
import { JobRefused } from "../../../jobs/protocol.ts";
import type { Format } from "../formats.ts";
import { table } from "./table.ts";

const YAML = { schema: CORE_SCHEMA, quoteStyle: "double", noRefs: true } as const;

export interface WriteOptions {
  readonly to: Format;
  /** Spaces; 0 for one line. */
  readonly indent: number;
  readonly maxBytes: number;
}

/** Writes data. Throws `JobRefused`. */
export function write(value: JsonValue, options: WriteOptions): string {
  return limited(stringify(value, options), options.maxBytes);
}

/** Returns the text. Throws `JobRefused` for one with more bytes. */
export function limited(text: string, maxBytes: number): string {
  const size = Buffer.byteLength(text);
  if (size <= maxBytes) return text;
  throw new JobRefused(
    `the result has ${size} bytes, at most ${maxBytes} are given: give it less at once, or raise ` +
      "packs.data.max_mb",
  );
}

function stringify(value: JsonValue, { to, indent }: WriteOptions): string {
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
      return table(value, { as: to, columns: [] });
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
