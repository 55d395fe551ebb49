/** Reads a text in any format as plain data. */

import { CORE_SCHEMA, loadAll, mapTag, mergeTag, seqTag, strTag, YAMLException } from "js-yaml";
import JSON5 from "json5";
import { parse as parseToml } from "smol-toml";
import { attempt, type JsonValue, messageOf } from "#base";
import type { FileInput } from "../../kit/files.ts";
import { readPieces } from "../../kit/read_pieces.ts";
import { markedEncoding } from "../../kit/text_mark.ts";
import { JobRefused } from "../../../jobs/protocol.ts";
import type { Format } from "../formats.ts";
import { looksLikeRows, readRows, type RowOptions } from "./rows.ts";
import { plain } from "./plain.ts";

/** Values and characters that a YAML text may stand for, and twice its own characters more. */
const MAX_SIZE = 10_000_000;
/** Values with a tag of some program are read as if they had none. */
const SCHEMA = CORE_SCHEMA.withTags(
  mergeTag,
  ["!", "tag:"].flatMap((tagName) => [
    { ...strTag, tagName, matchByTagPrefix: true },
    { ...seqTag, tagName, matchByTagPrefix: true },
    { ...mapTag, tagName, matchByTagPrefix: true },
  ]),
);
const YAML = { schema: SCHEMA, maxDepth: 500 };
/** Integers that a number cannot hold become `bigint`. */
const TOML = { integersAsBigInt: "asNeeded" } as const;

export type Source =
  | { readonly kind: "value"; readonly value: JsonValue }
  | {
    readonly kind: "text";
    readonly text: string | FileInput;
    /** Detected if it is missing. */
    readonly format?: Format;
    readonly rows: RowOptions;
  };

/** Reads the data of a source. Throws `JobRefused`. */
export function read(source: Source): { value: JsonValue; format: Format | null } {
  if (source.kind === "value") return { value: source.value, format: null };
  const text = decoded(source.text);
  const format = source.format ?? detect(text);
  return { value: plain(parse(text, format, source.rows)), format };
}

function decoded(source: string | FileInput): string {
  if (typeof source === "string") return source.replace(/^\uFEFF/, "");
  let decoder: TextDecoder | undefined;
  let text = "";
  try {
    for (const piece of readPieces(source)) {
      decoder ??= new TextDecoder(markedEncoding(piece) ?? "utf-8", { fatal: true });
      text += decoder.decode(piece, { stream: true });
    }
    return text + (decoder?.decode() ?? "");
  } catch (error) {
    if (error instanceof JobRefused) throw error;
    throw new JobRefused(`the bytes of "${source.label}" are not text in UTF-8 or UTF-16`);
  }
}

function parse(text: string, format: Format, rows: RowOptions): unknown {
  switch (format) {
    case "json":
      return located("JSON", () => JSON.parse(text));
    case "json5":
      return located("JSON5", () => JSON5.parse(text));
    case "ndjson":
      return readLines(text);
    case "yaml":
      return readYaml(text);
    case "toml":
      return located("TOML", () => parseToml(text, TOML));
    case "csv":
      return readRows(text, rows);
    case "tsv":
      return readRows(text, { ...rows, delimiter: "\t" });
    default:
      return format satisfies never;
  }
}

/** Detects the format of a text. Cheap checks come first. */
function detect(text: string): Format {
  const start = text.trimStart()[0] ?? "";
  if (parses(() => JSON.parse(text))) return "json";
  if (start === "{" || start === "[" || start === "/") {
    if (isLines(text)) return "ndjson";
    if (parses(() => JSON5.parse(text))) return "json5";
  }
  if (/^\s*(?:\[\[?[^\]\n]+\]\]?|[\w."'-]+\s*=\s*\S.*)\s*(?:#.*)?$/m.test(text)) {
    if (parses(() => parseToml(text, TOML))) return "toml";
  }
  const isYaml = parses(() => {
    const value = readYaml(text);
    if (typeof value !== "object" || value === null) throw new Error("a text");
  });
  if (isYaml) return "yaml";
  const delimiter = looksLikeRows(text);
  if (delimiter !== undefined) return delimiter === "\t" ? "tsv" : "csv";
  if (start === "{" || start === "[") return "json";
  throw new JobRefused("its format cannot be detected: pass format");
}

function isLines(text: string): boolean {
  const lines = text.split("\n", 3).filter((line) => line.trim() !== "");
  return lines.length > 1 && lines.slice(0, 2).every((line) => parses(() => JSON.parse(line)));
}

function parses(read: () => unknown): boolean {
  // Any other format gives an error.
  return attempt(() => ({ value: read() })) !== undefined;
}

function readLines(text: string): unknown[] {
  const values: unknown[] = [];
  let number = 0;
  for (const line of text.split("\n")) {
    number++;
    if (line.trim() === "") continue;
    try {
      values.push(JSON.parse(line));
    } catch (error) {
      throw new JobRefused(`line ${number} is not JSON: ${reason(error)}`);
    }
  }
  return values;
}

/** Reads YAML; several documents become a list. */
function readYaml(text: string): unknown {
  const values = located("YAML", () => loadAll(text, YAML));
  if (sizeOf(values, new Map()) > MAX_SIZE + 2 * text.length) {
    throw new JobRefused(`its aliases stand for more than ${MAX_SIZE} values and characters`);
  }
  return values.length > 1 ? values : values[0] ?? null;
}

/** Number of values and characters that a value stands for, with aliases followed; one in itself is
 * endless. */
function sizeOf(value: unknown, sizes: Map<object, number>): number {
  if (typeof value === "string") return 1 + value.length;
  if (typeof value !== "object" || value === null) return 1;
  const size = sizes.get(value);
  if (size !== undefined) return size;
  sizes.set(value, Infinity);
  let total = 1;
  for (const key of Object.keys(value)) {
    const item = (value as Record<string, unknown>)[key];
    total += sizeOf(item, sizes) + (Array.isArray(value) ? 0 : key.length);
  }
  sizes.set(value, total);
  return total;
}

function located<T>(name: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof RangeError || error instanceof JobRefused) throw error;
    throw new JobRefused(`it is not ${name}: ${reason(error)}`);
  }
}

/** First line of a parser's message: the rest repeats the text. */
function reason(error: unknown): string {
  if (error instanceof YAMLException) {
    return `${error.reason} at line ${(error.mark?.line ?? 0) + 1}`;
  }
  const message = messageOf(error);
  const [first = ""] = message.replace(/^Invalid TOML document: |^JSON5: /, "").split("\n");
  const place = error instanceof Error && "line" in error && typeof error.line === "number"
    ? ` at line ${error.line}`
    : "";
  const text = first.replace(/[:.]$/, "");
  const whole = text.includes("line ") ? text : text + place;
  return whole.length > 300 ? `${whole.slice(0, 300)}…` : whole;
}
