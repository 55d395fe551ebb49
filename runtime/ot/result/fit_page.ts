/** As many lines as a reply holds. */

import { serializeLookup } from "../../reply/formats.ts";
import { byteLength, clipText } from "../../reply/lines.ts";

/** Bytes of a page beside its lines. */
const AROUND = 200;
/** A page holds something whatever the limit of replies. */
const LEAST_ROOM = 300;

export interface FitOptions {
  /** Of the whole reply. */
  readonly maxBytes: number;
  /** The last ones are kept where not all fit. */
  readonly fromEnd: boolean;
}

/** The lines that fit; one that alone is too large is cut (OT-55 to OT-64). */
export function fitPage(
  lines: readonly string[],
  { maxBytes, fromEnd }: FitOptions,
): { lines: string[]; cut: boolean } {
  const room = Math.max(LEAST_ROOM, maxBytes - AROUND);
  const ordered = fromEnd ? lines.toReversed() : lines;
  const page: string[] = [];
  let left = room;
  for (const line of ordered) {
    left -= line.length > room ? Infinity : sizeOf(line);
    if (left < 0) break;
    page.push(line);
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
