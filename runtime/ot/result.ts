/** `ot.result`: pages of a result that was too large to send whole (OT-55 to 64). */

import { type Args, PackError } from "#packs";
import type { JsonObject } from "#sandbox";
import { serialiseLookup } from "../reply/formats.ts";
import { byteLength, clipText, eachLine } from "../reply/lines.ts";
import { sanitise } from "../reply/sanitise.ts";
import type { StoredResult } from "../reply/store.ts";
import type { OtDeps } from "./deps.ts";
import { searchLines } from "./search_lines.ts";
import type { Found } from "./search_types.ts";

const DEFAULT_LIMIT = 100;
/** Bytes of a page beside its lines. */
const AROUND = 200;
/** A page holds something whatever the limit of replies. */
const LEAST_ROOM = 300;

/** One page of a stored result. Throws `PackError`. */
export async function readResult(
  { store, maxInlineBytes }: Pick<OtDeps, "store" | "maxInlineBytes">,
  args: Args,
  { signal }: { readonly signal?: AbortSignal },
): Promise<JsonObject> {
  const { handle, search } = args;
  const offset = atLeastOne(args.offset, 1, "offset must be >= 1 (1-indexed)");
  const limit = atLeastOne(args.limit, DEFAULT_LIMIT, "limit must be >= 1");
  const found = await store.get(String(handle));
  if (found.kind !== "found") throw gone(String(handle), found.kind);
  const wanted = { offset, limit };
  const chosen = typeof search === "string" && search !== ""
    ? await searchLines(found.text, { search, fuzzy: args.fuzzy === true, ...wanted, signal })
    : pick(found.text, wanted);
  const room = Math.max(LEAST_ROOM, maxInlineBytes - AROUND);
  const page = fit(chosen.lines, room);
  const has_more = chosen.more || page.lines.length < chosen.lines.length;
  return {
    lines: found.about.sanitize ? fenced(page.lines, found.about) : page.lines,
    total_lines: found.about.total_lines,
    returned: page.lines.length,
    offset,
    has_more,
    ...(page.cut ? { cut: true } : {}),
  };
}

function atLeastOne(value: unknown, fallback: number, message: string): number {
  const number = value === undefined || value === null ? fallback : Number(value);
  if (number >= 1) return number;
  throw new PackError("invalid_arguments", `${message}, got ${number}`, {
    tool: "ot.result",
    details: { name: "RangeError" },
  });
}

function gone(handle: string, why: "expired" | "missing"): PackError {
  const shown = clipText(handle, 100);
  const message = why === "expired"
    ? `Cannot read the result "${shown}": it has expired: run the command again`
    : `Cannot read the result "${shown}": no result of that handle was found: use the handle as ` +
      "the reply gave it";
  return new PackError("tool_error", message, { tool: "ot.result" });
}

function pick(text: string, { offset, limit }: { offset: number; limit: number }): Found {
  const lines: string[] = [];
  let at = 0;
  for (const line of eachLine(text)) {
    if (++at < offset) continue;
    if (lines.length === limit) return { lines, more: true };
    lines.push(line);
  }
  return { lines, more: false };
}

/** As many lines as a page holds; the first is cut where it alone is too large. */
function fit(lines: readonly string[], room: number): { lines: string[]; cut: boolean } {
  const page: string[] = [];
  let left = room;
  for (const line of lines) {
    left -= line.length > room ? Infinity : written(line);
    if (left < 0) break;
    page.push(line);
  }
  const [first] = lines;
  if (page.length > 0 || first === undefined) return { lines: page, cut: false };
  let cut = clipText(first.slice(0, room), room);
  while (written(cut) > room) cut = clipText(cut, Math.floor(byteLength(cut) * 0.8));
  return { lines: [cut], cut: true };
}

/** Bytes of a line in a reply, in the form that needs more of them. */
function written(line: string): number {
  const yaml = byteLength(serialiseLookup([line]));
  return Math.max(byteLength(JSON.stringify(line)) + 1, yaml);
}

/** Foreign text stays marked as such in every page. */
function fenced(lines: readonly string[], { tool }: StoredResult): string[] {
  return sanitise(lines.join("\n"), { sources: tool === "" ? [] : [tool] }).split("\n");
}
