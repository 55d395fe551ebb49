/** One sentence about a large result: rows, keys, matches per file where they can be seen. */

import { createTurns, type JsonObject, type JsonValue, keysOf } from "#base";
import { countLines, eachLine } from "./lines.ts";

const SAMPLED = 50;
const MAX_NAMES = 8;
const MAX_NAME = 40;
const MAX_PATH = 1_000;
/** Lines, or rows, read before the loop yields. */
const YIELD_AFTER = 20_000;
const FILE_FIELDS = ["path", "file", "filename", "filePath", "file_path"];

/** Describes a value; a text is described by its lines. */
export async function describe(value: JsonValue): Promise<string> {
  if (typeof value === "string") return await describeText(value);
  if (Array.isArray(value)) return await describeList(value);
  if (typeof value === "object" && value !== null) return await describeObject(value as JsonObject);
  return `one ${value === null ? "null" : typeof value}`;
}

async function describeText(text: string): Promise<string> {
  const matches = await countMatches(() => eachLine(text));
  if (matches !== undefined) return matches;
  const lines = countLines(text);
  const table = columnsOf(text);
  if (table) {
    return `${plural(lines - 1, "row")} with ${plural(table.length, "column")}: ${names(table)}`;
  }
  return lines === 1 ? `one line of ${plural(text.length, "character")}` : `${lines} lines of text`;
}

async function describeList(list: readonly JsonValue[]): Promise<string> {
  const sample = list.slice(0, SAMPLED);
  if (sample.length > 0 && sample.every(isPlain)) return await describeRows(list, sample);
  const kinds = new Set(list.slice(0, YIELD_AFTER).map(kindOf));
  const [kind = "item"] = kinds;
  const matches = kind === "string" && kinds.size === 1
    ? await countMatches(() => list.filter((item) => typeof item === "string"))
    : undefined;
  if (matches !== undefined) return matches;
  return plural(list.length, kinds.size === 1 ? kind : "item");
}

async function describeRows(
  list: readonly JsonValue[],
  sample: readonly JsonValue[],
): Promise<string> {
  const keys = [...new Set(sample.flatMap((row) => Object.keys(row as object).slice(0, 100)))];
  const rows = `${plural(list.length, "row")}`;
  const field = FILE_FIELDS.find((name) =>
    sample.every((row) => typeof (row as Record<string, JsonValue>)[name] === "string")
  );
  const files = field === undefined ? 0 : await countDistinct(list, field);
  const within = files > 0 && files < list.length ? ` in ${plural(files, "file")}` : "";
  return `${rows}${within}${keys.length > 0 ? ` with ${names(keys)}` : ""}`;
}

async function describeObject(value: JsonObject): Promise<string> {
  const keys = keysOf(value);
  const largest = await largestList(value, keys);
  const rows = largest && largest.list.length > 0
    ? `; ${names([largest.key])} has ${
      plural(largest.list.length, isPlain(largest.list[0] ?? null) ? "row" : "item")
    }`
    : "";
  return `${plural(keys.length, "key")}: ${names(keys)}${rows}`;
}

async function largestList(
  value: JsonObject,
  keys: readonly string[],
): Promise<{ readonly key: string; readonly list: readonly JsonValue[] } | undefined> {
  const turn = createTurns();
  let largest: { readonly key: string; readonly list: readonly JsonValue[] } | undefined;
  for (const [index, key] of keys.entries()) {
    const list = value[key];
    if (Array.isArray(list) && list.length > (largest?.list.length ?? -1)) largest = { key, list };
    if (index % YIELD_AFTER === YIELD_AFTER - 1) await turn();
  }
  return largest;
}

/** `847 matches in 42 files`, where most lines are matches. */
async function countMatches(lines: () => Iterable<string>): Promise<string | undefined> {
  const sample: string[] = [];
  for (const line of lines()) {
    if (line.trim() !== "") sample.push(line);
    if (sample.length >= SAMPLED) break;
  }
  const hits = sample.filter((line) => matchedFile(line) !== undefined).length;
  if (hits < 2 || hits < sample.length * 0.8) return undefined;
  const files = new Set<string>();
  const turn = createTurns();
  let matches = 0;
  let seen = 0;
  for (const line of lines()) {
    const file = matchedFile(line);
    if (file !== undefined) {
      matches++;
      files.add(file);
    }
    if (++seen % YIELD_AFTER === 0) await turn();
  }
  return `${matches} matches in ${plural(files.size, "file")}`;
}

/** The file of `src/main.ts:12: text`, as searches write what they found. */
function matchedFile(line: string): string | undefined {
  const end = line.slice(0, MAX_PATH).indexOf(":");
  const file = line.slice(0, Math.max(0, end));
  const isPath = /[./]/.test(file) && file.trim() === file;
  return isPath && /^\d{1,9}[:-]/.test(line.slice(end + 1, end + 12)) ? file : undefined;
}

async function countDistinct(list: readonly JsonValue[], field: string): Promise<number> {
  const turn = createTurns();
  const seen = new Set<JsonValue | undefined>();
  for (const [index, row] of list.entries()) {
    if (isPlain(row)) seen.add((row as Record<string, JsonValue>)[field]);
    if (index % YIELD_AFTER === YIELD_AFTER - 1) await turn();
  }
  return seen.size;
}

/** The columns of a table with commas or tabs between them, if that is what a text is. */
function columnsOf(text: string): string[] | undefined {
  const lines: string[] = [];
  for (const line of eachLine(text)) {
    lines.push(line.slice(0, 2_000));
    if (lines.length >= 20) break;
  }
  const [head = ""] = lines;
  const joint = head.includes("\t") ? "\t" : ",";
  const columns = head.split(joint).map((name) => name.trim().replaceAll('"', ""));
  const isTable = lines.length > 2 && columns.length > 1 && columns.length <= 200 &&
    columns.every((name) => name !== "" && name.length <= MAX_NAME) &&
    lines.every((line) => line.split(joint).length === columns.length);
  return isTable ? columns : undefined;
}

function kindOf(value: JsonValue): string {
  if (Array.isArray(value)) return "list";
  return value === null ? "null" : typeof value;
}

function isPlain(value: JsonValue): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function plural(count: number, name: string): string {
  return `${count} ${name}${count === 1 ? "" : "s"}`;
}

/** Lists names for a sentence: short, few, without control characters. */
function names(list: readonly string[]): string {
  const listed = list.slice(0, MAX_NAMES).map((name) => {
    const clean = name.toWellFormed().replaceAll(/[\p{C}\p{Z}]+/gu, " ").trim();
    return clean.length > MAX_NAME ? `${clean.slice(0, MAX_NAME)}…` : clean;
  });
  const more = list.length - listed.length;
  return listed.join(", ") + (more > 0 ? ` and ${more} more` : "");
}
