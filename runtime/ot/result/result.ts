/** `ot.result`: pages of a result that was too large to send whole (OT-55 to 64). */

import { createTurns, type JsonObject } from "#base";
import { type Args, PackError } from "#packs";
import { serializeLookup } from "../../reply/formats.ts";
import { byteLength, clipText } from "../../reply/lines.ts";
import { sanitize } from "../../reply/sanitize.ts";
import type { ResultStore, StoredResult } from "../../reply/store.ts";
import type { StoredText } from "../../reply/stored_file.ts";
import type { Reader, ReadPlaces } from "./places.ts";
import { readLines } from "./read_lines.ts";
import { searchLines } from "./search_lines.ts";
import type { LinePage, LineSelection } from "./search_types.ts";

const DEFAULT_LIMIT = 100;
const MOST_CONTEXT = 1_000;

export interface ReadResultDeps {
  readonly store: ResultStore;
  /** Bytes that a reply may have: a page has no more. */
  readonly maxInlineBytes: number;
}

export interface ReadResultOptions extends Reader {
  readonly places?: ReadPlaces;
}

/** One page of a stored result, and if its lines are foreign text. Throws `PackError`. */
export async function readResult(
  { store, maxInlineBytes }: ReadResultDeps,
  args: Args,
  options: ReadResultOptions = { run: undefined },
): Promise<{ readonly value: JsonObject; readonly external: boolean }> {
  const handle = String(args.handle);
  const room = Math.max(LEAST_ROOM, maxInlineBytes - AROUND);
  const selection = { ...selectionOf(args), room };
  const entry = await store.get(handle);
  if (entry.kind !== "found") throw unavailable(handle, entry.kind);
  const { about, text } = entry;
  const selected = await choose(text, args, { selection, ...options }).catch((error) => {
    // It expired, and another process removed it.
    throw error instanceof Deno.errors.NotFound ? unavailable(handle, "missing") : error;
  });
  const fromEnd = selection.tail !== undefined;
  const page = await fitPage(selected.lines, { room, fromEnd });
  const left = selected.lines.length - page.lines.length;
  const external = about.sanitize === true;
  const value = {
    lines: external ? fenced(page.lines, about) : page.lines,
    total_lines: about.total_lines,
    returned: page.lines.length,
    offset: fromEnd ? selected.first + left : selected.first,
    has_more: selected.more || (left > 0 && !fromEnd),
    ...(page.cut ? { cut: true } : {}),
  };
  return { value, external };
}

function selectionOf(args: Args): Omit<LineSelection, "room"> {
  return {
    offset: atLeastOne(args.offset, 1, "offset must be >= 1 (1-indexed)"),
    limit: atLeastOne(args.limit, DEFAULT_LIMIT, "limit must be >= 1"),
    ...(isMissing(args.tail) ? {} : { tail: atLeastOne(args.tail, 1, "tail must be >= 1") }),
  };
}

async function choose(
  text: StoredText,
  args: Args,
  { selection, places, ...reader }: ReadResultOptions & { readonly selection: LineSelection },
): Promise<LinePage> {
  const search = textOption(args.search);
  const path = textOption(args.path);
  if (search === undefined && path === undefined) {
    using _place = await places?.page(reader);
    return await readLines(text, selection);
  }
  const context = Math.min(MOST_CONTEXT, Number(args.context ?? 0));
  const fuzzy = args.fuzzy === true;
  using _place = await places?.search(reader, text.size);
  const bytes = await text.bytes();
  return await searchLines({ bytes, search, path, fuzzy, context, ...selection }, reader);
}

function textOption(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

function isMissing(value: unknown): boolean {
  return value === undefined || value === null;
}

/** The message is the whole text of the specification (OT-63, OT-64); a script gets it as the
 * language's own `RangeError`. */
function atLeastOne(value: unknown, fallback: number, message: string): number {
  const number = isMissing(value) ? fallback : Number(value);
  if (number >= 1) return number;
  throw new PackError("invalid_arguments", `${message}, got ${number}`, {
    tool: "ot.result",
    details: { name: "RangeError" },
  });
}

function unavailable(handle: string, why: "expired" | "missing"): PackError {
  const label = clipText(handle, 100);
  const message = why === "expired"
    ? `Cannot read the result "${label}": it has expired: run the command again`
    : `Cannot read the result "${label}": no result of that handle was found: use the handle as ` +
      "the reply gave it";
  return new PackError("tool_error", message, { tool: "ot.result", details: { reason: why } });
}

/** Foreign text stays marked as such in every page. */
function fenced(lines: readonly string[], { tool }: StoredResult): string[] {
  return sanitize(lines.join("\n"), { sources: tool === "" ? [] : [tool] }).split("\n");
}

/** Bytes of a page beside its lines. */
const AROUND = 200;
/** A page holds something whatever the limit of replies. */
const LEAST_ROOM = 300;

interface FitOptions {
  /** Bytes for lines. */
  readonly room: number;
  /** The last ones are kept where not all fit. */
  readonly fromEnd: boolean;
}

/** The lines that fit; a part of the first where that alone is too large (OT-55 to OT-64). */
async function fitPage(
  lines: readonly string[],
  { room, fromEnd }: FitOptions,
): Promise<{ lines: string[]; cut: boolean }> {
  const turn = createTurns();
  const ordered = fromEnd ? lines.toReversed() : lines;
  const page: string[] = [];
  let left = room;
  for (const line of ordered) {
    left -= line.length > room ? Infinity : sizeOf(line);
    if (left < 0) break;
    page.push(line);
    await turn();
  }
  const [first] = ordered;
  if (page.length === 0 && first !== undefined) return { lines: [cutLine(first, room)], cut: true };
  return { lines: fromEnd ? page.reverse() : page, cut: false };
}

function cutLine(line: string, room: number): string {
  let cut = clipText(line.slice(0, room), room);
  while (sizeOf(cut) > room) cut = clipText(cut, Math.floor(byteLength(cut) * 0.8));
  return cut;
}

/** Bytes of a line in a reply, in the form that needs more of them. */
function sizeOf(line: string): number {
  const yaml = byteLength(serializeLookup([line]));
  return Math.max(byteLength(JSON.stringify(line)) + 1, yaml);
}
